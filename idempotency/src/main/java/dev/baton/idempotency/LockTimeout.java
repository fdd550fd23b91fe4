package dev.baton.idempotency;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long PostgreSQL lets a statement of this transaction wait for another transaction. */
final class LockTimeout {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private LockTimeout() {}

    static String text(Duration wait) {
        return wait.toMillis() + "ms";
    }

    /** Sets it until the transaction ends, and returns what it was. */
    static String swap(Connection connection, String timeout) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT current_setting('lock_timeout'),"
                        + " set_config('lock_timeout', '" + timeout + "', true)")) {
            row.next();
            return row.getString(1);
        }
    }

    static boolean isCauseOf(@Nullable Throwable e) {
        return e instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState());
    }
}
