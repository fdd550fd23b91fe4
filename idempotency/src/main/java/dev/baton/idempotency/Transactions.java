package dev.baton.idempotency;

import java.sql.Connection;
import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/** The caller's transaction: that there is one, and JDBC inside it. */
final class Transactions {
    private Transactions() {}

    static void check(Handle transaction, String what) {
        if (!transaction.isInTransaction()) {
            throw new IllegalStateException("the handle is not in a transaction, so " + what
                    + " could be marked without its effect; call this inside jdbi.useTransaction(..)");
        }
    }

    static void check(Connection transaction, String what) throws SQLException {
        if (transaction.getAutoCommit()) {
            throw new IllegalStateException("the connection is in auto-commit, so " + what
                    + " could be marked without its effect; call setAutoCommit(false) first");
        }
    }

    static <T> T run(Handle transaction, Work<T> work) {
        try {
            return work.on(transaction.getConnection());
        } catch (SQLException e) {
            throw new UnableToExecuteStatementException(e, null);
        }
    }

    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}
