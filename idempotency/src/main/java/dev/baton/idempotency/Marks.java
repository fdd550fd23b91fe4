package dev.baton.idempotency;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code processed_messages}. Plain JDBC: it stands in every guarded transaction.
 *
 * <p>Marked first, effect second: whoever comes second waits here for the first one's commit or rollback. A bound on that
 * is {@code lock_timeout}, set before the mark and put back after it, so the rest of the caller's transaction keeps its
 * setting. (If the wait ends by the bound, the rollback puts it back.) That costs two more trips, so it is by choice.
 */
final class Marks {
    private static final String ONE =
            "INSERT INTO processed_messages (consumer, message_id) VALUES (?, ?) ON CONFLICT DO NOTHING";
    private static final String MANY = "SELECT processed_messages_mark(?, ?)";

    private final String consumer;
    private final @Nullable Duration wait;

    /**
     * The marks of one consumer.
     *
     * @param wait for a transaction that holds the same message, or null to wait as long as the connection's settings say
     */
    Marks(String consumer, @Nullable Duration wait) {
        this.consumer = consumer;
        this.wait = wait;
    }

    /** Whether the message was not marked before. */
    boolean mark(Connection connection, String messageId) throws SQLException {
        return bounded(connection, () -> {
            try (PreparedStatement insert = connection.prepareStatement(ONE)) {
                insert.setString(1, consumer);
                insert.setString(2, messageId);
                return insert.executeUpdate() == 1;
            }
        });
    }

    /** Those of the messages that were not marked before. */
    Set<String> markAll(Connection connection, Set<String> messageIds) throws SQLException {
        if (messageIds.isEmpty()) {
            return Set.of();
        }
        // Sorted: two batches that have messages in common wait for each other in the same order.
        Object[] sorted = messageIds.stream().sorted().toArray();
        return bounded(connection, () -> {
            try (PreparedStatement select = connection.prepareStatement(MANY)) {
                select.setString(1, consumer);
                select.setArray(2, connection.createArrayOf("text", sorted));
                try (ResultSet row = select.executeQuery()) {
                    row.next();
                    Array fresh = row.getArray(1);
                    return fresh == null ? messageIds : Set.of((String[]) fresh.getArray());
                }
            }
        });
    }

    private <T> T bounded(Connection connection, Marking<T> marking) throws SQLException {
        if (wait == null) {
            return marking.mark();
        }
        try {
            String own = LockTimeout.swap(connection, LockTimeout.text(wait));
            T marked = marking.mark();
            LockTimeout.swap(connection, own);
            return marked;
        } catch (SQLException e) {
            if (LockTimeout.isCauseOf(e)) {
                throw new GuardBusyException(
                        consumer + " waited " + wait + " for a transaction that holds the same message", e);
            }
            throw e;
        }
    }

    private interface Marking<T> {
        T mark() throws SQLException;
    }
}
