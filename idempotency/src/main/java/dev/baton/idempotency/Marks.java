package dev.baton.idempotency;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/**
 * The rows of {@code processed_messages}. Plain JDBC: it stands in every guarded transaction.
 *
 * <p>Marked first, effect second: whoever comes second waits here for the first one's commit or rollback. The wait is
 * bounded by {@code lock_timeout}, set and put back by the statement itself, so it costs no trip of its own and the rest of
 * the caller's transaction keeps its setting. (If the wait ends by the bound, the rollback puts it back.)
 */
final class Marks {
    // "after" is asked for, so that it is set before the first row is inserted; the last line runs after the insert,
    // because it groups what that returns.
    private static final String BOUNDED = """
            WITH bound AS MATERIALIZED (
              SELECT current_setting('lock_timeout') AS before, set_config('lock_timeout', ?, true) AS after
            ), marked AS (
              INSERT INTO processed_messages (consumer, message_id)
              SELECT ?, %s AND after IS NOT NULL
              ON CONFLICT DO NOTHING
              RETURNING message_id
            )
            SELECT %s, set_config('lock_timeout', before, true)
            FROM bound LEFT JOIN marked ON true
            GROUP BY before""";

    private static final String ONE = BOUNDED.formatted("? FROM bound WHERE true", "count(message_id)");
    private static final String MANY =
            BOUNDED.formatted("id FROM bound, unnest(?::text[]) AS id WHERE true", "array_agg(message_id)");

    private final String consumer;
    private final String wait;

    Marks(String consumer, Duration wait) {
        this.consumer = consumer;
        this.wait = wait.toMillis() + "ms";
    }

    /** Whether the message was not marked before. */
    boolean mark(Connection connection, String messageId) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ONE)) {
            insert.setString(3, messageId);
            try (ResultSet row = execute(insert, messageId)) {
                return row.getInt(1) == 1;
            }
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
            insert.setArray(3, connection.createArrayOf("text", sorted));
            try (ResultSet row = execute(insert, "one of " + sorted.length + " messages")) {
                Array marked = row.getArray(1);
                // Nothing marked: array_agg of the one row that the outer join made.
                String[] ids = (String[]) marked.getArray();
                return ids.length == 1 && ids[0] == null ? Set.of() : Set.of(ids);
            }
        }
    }

    private ResultSet execute(PreparedStatement insert, String what) throws SQLException {
        insert.setString(1, wait);
        insert.setString(2, consumer);
        try {
            ResultSet row = insert.executeQuery();
            row.next();
            return row;
        } catch (SQLException e) {
            if (Transactions.isLockTimeout(e)) {
                throw new GuardBusyException(consumer + " waited " + wait + " for a transaction that holds " + what, e);
            }
            throw e;
        }
    }
}
