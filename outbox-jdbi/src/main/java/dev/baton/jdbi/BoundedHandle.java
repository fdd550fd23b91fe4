package dev.baton.jdbi;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens handles for background work that give a server up which does not answer. The timeouts that PostgreSQL keeps are of no
 * use when the host is frozen or the network swallows what it sends: without this a loop would wait as long as TCP does, a
 * quarter of an hour or for ever.
 */
final class BoundedHandle {
    /** Longer than any {@code statement_timeout} that the relay sets: where a server answers at all, that one comes first. */
    static final Duration LONGEST_ANSWER = Duration.ofSeconds(15);

    private static final Logger log = LoggerFactory.getLogger(BoundedHandle.class);

    private BoundedHandle() {}

    static Handle open(Jdbi jdbi) {
        return open(jdbi, LONGEST_ANSWER);
    }

    /** The connection has its own timeout again when the handle is closed: it may be a pool's. */
    static Handle open(Jdbi jdbi, Duration longestAnswer) {
        Handle handle = jdbi.open();
        try {
            bound(handle, (int) longestAnswer.toMillis());
            return handle;
        } catch (SQLFeatureNotSupportedException e) {
            log.debug("this connection knows no network timeout", e);
            return handle;
        } catch (SQLException e) {
            handle.close();
            throw EventWriter.failed(e);
        }
    }

    private static void bound(Handle handle, int millis) throws SQLException {
        Connection connection = handle.getConnection();
        int own = connection.getNetworkTimeout();
        if (own == 0 || own > millis) {
            connection.setNetworkTimeout(Runnable::run, millis);
            handle.addCleanable(() -> restore(connection, own));
        }
    }

    private static void restore(Connection connection, int own) {
        try {
            connection.setNetworkTimeout(Runnable::run, own);
        } catch (SQLException e) {
            // It is broken, and its pool will find that out.
            log.debug("the network timeout of a connection was not set back", e);
        }
    }
}
