package dev.baton.examples.crash;

import dev.baton.idempotency.Fingerprint;
import dev.baton.idempotency.LeasedGuard;
import dev.baton.idempotency.RequestGuard;
import dev.baton.idempotency.Verdict;
import dev.baton.servers.Postgres;
import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/** A request with a key, answered under each of the two guards of requests: by a process that dies at one point. */
final class CrashingRequest {
    /** The rows of the table in {@code docs/guarantees.md}. */
    enum Point {
        KEYED_IN_EFFECT,
        KEYED_AFTER_COMMIT,
        LEASED_BEFORE_CALL,
        LEASED_AFTER_CALL,
        LEASED_AFTER_RECORD,
        NOWHERE;

        boolean isLeased() {
            return name().startsWith("LEASED");
        }
    }

    static final int HALTED = 77;

    private static final String KEY = "refund-order-1";
    private static final Duration LEASE = Duration.ofSeconds(2);

    private final Point point;
    private final Jdbi jdbi;
    private final RequestGuard keyed = RequestGuard.forConsumer("payments.refund");
    private final LeasedGuard leased;

    CrashingRequest(Point point, String jdbcUrl) {
        this.point = point;
        this.jdbi = Jdbi.create(Postgres.dataSource(jdbcUrl));
        this.leased = LeasedGuard.forConsumer(jdbi, "payments.refund", LEASE);
    }

    /** Arguments: crash point, JDBC URL. */
    public static void main(String[] args) {
        Point point = Point.valueOf(args[0]);
        new CrashingRequest(point, args[1]).answer(point.isLeased(), "{\"amount\": 10}");
    }

    Verdict answer(boolean byLease, String body) {
        return byLease ? leased(Fingerprint.ofJson(body)) : keyed(Fingerprint.ofJson(body));
    }

    private Verdict keyed(Fingerprint fingerprint) {
        Verdict verdict = jdbi.inTransaction(tx -> keyed.execute(tx, KEY, fingerprint, () -> {
            tx.execute("INSERT INTO effects VALUES (0)");
            reached(Point.KEYED_IN_EFFECT);
            return "refunded";
        }));
        reached(Point.KEYED_AFTER_COMMIT);
        return verdict;
    }

    private Verdict leased(Fingerprint fingerprint) {
        Verdict verdict = leased.execute(KEY, fingerprint, claim -> {
            reached(Point.LEASED_BEFORE_CALL);
            // A foreign service: what it did stands, whatever becomes of the caller.
            jdbi.useHandle(handle -> handle.execute("INSERT INTO effects VALUES (?)", claim.fence()));
            reached(Point.LEASED_AFTER_CALL);
            return "refunded";
        });
        reached(Point.LEASED_AFTER_RECORD);
        return verdict;
    }

    private void reached(Point place) {
        if (point == place) {
            Runtime.getRuntime().halt(HALTED);
        }
    }
}
