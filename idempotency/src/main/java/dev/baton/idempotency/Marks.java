package dev.baton.idempotency;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
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
    private static final String INSERT = "INSERT INTO processed_messages (consumer, message_id) ";
    private static final String END = " ON CONFLICT DO NOTHING RETURNING message_id";
    private static final String ONE = INSERT + "VALUES (?, ?)" + END;
    private static final String MANY = INSERT + "SELECT ?, unnest(?::text[])" + END;

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
        try (PreparedStatement insert = connection.prepareStatement(ONE)) {
            insert.setString(2, messageId);
            return !execute(connection, insert).isEmpty();
        }
    }

    /** Those of the messages that were not marked before. */
    Set<String> markAll(Connection connection, Collection<String> messageIds) throws SQLException {
        if (messageIds.isEmpty()) {
            return Set.of();
        }
        // Sorted: two batches that have messages in common wait for each other in the same order.
        Object[] sorted = messageIds.stream().sorted().toArray();
        try (PreparedStatement insert = connection.prepareStatement(MANY)) {
            insert.setArray(2, connection.createArrayOf("text", sorted));
            return execute(connection, insert);
        }
    }

    private Set<String> execute(Connection connection, PreparedStatement insert) throws SQLException {
        insert.setString(1, consumer);
        if (wait == null) {
            return marked(insert);
        }
        try {
            String own = LockTimeout.swap(connection, LockTimeout.text(wait));
            Set<String> marked = marked(insert);
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

    private static Set<String> marked(PreparedStatement insert) throws SQLException {
        try (ResultSet rows = insert.executeQuery()) {
            Set<String> marked = new HashSet<>();
            while (rows.next()) {
                marked.add(rows.getString(1));
            }
            return marked;
        }
    }
}
