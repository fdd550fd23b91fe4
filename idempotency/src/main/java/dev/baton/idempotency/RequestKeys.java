package dev.baton.idempotency;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * The rows of {@code request_keys}, one per (consumer, key): RUNNING with an owner, a fence and a lease, then DONE or
 * FAILED for good. Every change of a row names owner and fence, so whoever lost the key changes nothing.
 */
final class RequestKeys {
    // Free is what nobody has, or what was left by a run of the very same request whose lease is over. Another request
    // stays refused: what the lost run did outside the database, it did with its own payload.
    private static final String CLAIM = """
            INSERT INTO request_keys AS known (consumer, key, fingerprint, owner, fence, lease_end)
            VALUES (?, ?, ?, ?, nextval('request_fence'), clock_timestamp() + ? * interval '1 ms')
            ON CONFLICT (consumer, key) DO UPDATE SET
              owner = excluded.owner, fence = excluded.fence, lease_end = excluded.lease_end, started_at = now()
            WHERE known.state = 'RUNNING' AND known.lease_end <= clock_timestamp()
              AND known.fingerprint = excluded.fingerprint
            RETURNING fence""";

    private static final String LOOK = """
            SELECT fingerprint, state, result, lease_end, finished_at,
                   state = 'RUNNING' AND lease_end <= clock_timestamp() AS free
            FROM request_keys
            WHERE consumer = ? AND key = ?""";

    private static final String MINE =
            " WHERE consumer = ? AND key = ? AND owner = ? AND fence = ? AND state = 'RUNNING'";
    private static final String FINISH =
            "UPDATE request_keys SET state = ?, result = ?, finished_at = clock_timestamp()" + MINE;
    private static final String EXTEND =
            "UPDATE request_keys SET lease_end = clock_timestamp() + ? * interval '1 ms'" + MINE;

    private final String consumer;
    private final String owner;

    RequestKeys(String consumer, String owner) {
        this.consumer = consumer;
        this.owner = owner;
    }

    /** The fence of the claim, or empty if somebody else has the key; then {@link #look} tells what to say. */
    Optional<Long> claim(Connection connection, String key, Fingerprint fingerprint, Duration lease)
            throws SQLException {
        try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
            claim.setString(1, consumer);
            claim.setString(2, key);
            claim.setString(3, fingerprint.hex());
            claim.setString(4, owner);
            claim.setLong(5, lease.toMillis());
            try (ResultSet row = claim.executeQuery()) {
                return row.next() ? Optional.of(row.getLong(1)) : Optional.empty();
            }
        }
    }

    /** What is known of the key: empty if it is free for this request. */
    Optional<Verdict> look(Connection connection, String key, Fingerprint fingerprint) throws SQLException {
        try (PreparedStatement look = connection.prepareStatement(LOOK)) {
            look.setString(1, consumer);
            look.setString(2, key);
            try (ResultSet row = look.executeQuery()) {
                return row.next() ? verdict(row, fingerprint) : Optional.empty();
            }
        }
    }

    /** Whether the claim was still held. */
    boolean finish(Connection connection, String key, long fence, State state, String result) throws SQLException {
        try (PreparedStatement finish = connection.prepareStatement(FINISH)) {
            finish.setString(1, state.name());
            finish.setString(2, result);
            return updateMine(finish, 3, key, fence);
        }
    }

    /** Whether the claim was still held; a lease of zero gives it up. */
    boolean extend(Connection connection, String key, long fence, Duration lease) throws SQLException {
        try (PreparedStatement extend = connection.prepareStatement(EXTEND)) {
            extend.setLong(1, lease.toMillis());
            return updateMine(extend, 2, key, fence);
        }
    }

    private boolean updateMine(PreparedStatement update, int next, String key, long fence) throws SQLException {
        update.setString(next, consumer);
        update.setString(next + 1, key);
        update.setString(next + 2, owner);
        update.setLong(next + 3, fence);
        return update.executeUpdate() == 1;
    }

    private static Optional<Verdict> verdict(ResultSet row, Fingerprint fingerprint) throws SQLException {
        if (!row.getString("fingerprint").equals(fingerprint.hex())) {
            return Optional.of(new Verdict.Mismatch());
        }
        if (row.getBoolean("free")) {
            return Optional.empty();
        }
        return Optional.of(
                switch (State.valueOf(row.getString("state"))) {
                    case RUNNING -> new Verdict.InProgress(instant(row, "lease_end"));
                    case DONE -> new Verdict.Replayed(row.getString("result"), instant(row, "finished_at"));
                    case FAILED -> new Verdict.FailedBefore(row.getString("result"), instant(row, "finished_at"));
                });
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    enum State {
        RUNNING,
        DONE,
        FAILED
    }
}
