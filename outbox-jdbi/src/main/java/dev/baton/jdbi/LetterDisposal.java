package dev.baton.jdbi;

import dev.baton.deadletter.DeadLetterArchive.PurgeReport;
import dev.baton.deadletter.LetterFilter;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.function.IntSupplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes letters for good, and deletes closed ones: in batches, each a transaction of its own. */
final class LetterDisposal {
    private static final Logger log = LoggerFactory.getLogger(LetterDisposal.class);
    private static final int BATCH = 1_000;

    private static final String DISCARD = """
            WITH discarded AS (
              UPDATE dead_letters SET state = 'DISCARDED', closed_at = now(), note = :why
              WHERE state = 'OPEN' AND id = ANY (ARRAY(
                SELECT id FROM dead_letters WHERE state = 'OPEN' AND %s
                ORDER BY died_at, id LIMIT :limit FOR UPDATE))
              RETURNING id
            )
            INSERT INTO dead_letter_audit (letter_id, action, by_whom, why)
            SELECT id, 'DISCARDED', :by, :why FROM discarded""";

    private static final String PURGE = """
            DELETE FROM dead_letters WHERE id = ANY (ARRAY(
              SELECT id FROM dead_letters
              WHERE closed_at < now() - :ms * interval '1 ms' AND state <> 'OPEN' AND %s
              ORDER BY closed_at LIMIT :limit FOR UPDATE SKIP LOCKED))""";

    private static final String OLD = """
            SELECT count(*) FROM dead_letters
            WHERE state = 'OPEN' AND died_at < now() - :ms * interval '1 ms' AND %s""";

    private final Jdbi jdbi;
    private final OutboxTables tables;

    LetterDisposal(Jdbi jdbi, OutboxTables tables) {
        this.jdbi = jdbi;
        this.tables = tables;
    }

    int discard(LetterFilter filter, String by, String why) {
        // What dies from now on is another matter; and so this comes to an end.
        LetterWhere where = new LetterWhere(filter).buriedUntil(now());
        String sql = tables.in(DISCARD.formatted(where.sql()));
        return Math.toIntExact(inBatches(() -> jdbi.withHandle(handle -> where.bind(handle.createUpdate(sql))
                .bind("by", by)
                .bind("why", why)
                .bind("limit", BATCH)
                .execute())));
    }

    PurgeReport purge(LetterFilter which, Duration retention) {
        LetterWhere where = new LetterWhere(which);
        String sql = tables.in(PURGE.formatted(where.sql()));
        long deleted = inBatches(() -> {
            try (Handle handle = jdbi.open()) {
                return where.bind(handle.createUpdate(sql))
                        .bind("ms", retention.toMillis())
                        .bind("limit", BATCH)
                        .execute();
            }
        });
        long waiting = openAndOlder(where, retention);
        if (waiting > 0) {
            log.warn("{} open dead letters are older than {} and wait for somebody", waiting, retention);
        }
        return new PurgeReport(deleted, waiting);
    }

    /** Until one is not full. */
    private static long inBatches(IntSupplier batch) {
        long all = 0;
        int last;
        do {
            last = batch.getAsInt();
            all += last;
        } while (last == BATCH);
        return all;
    }

    private long openAndOlder(LetterWhere where, Duration retention) {
        return jdbi.withHandle(handle -> where.bind(handle.createQuery(tables.in(OLD.formatted(where.sql()))))
                .bind("ms", retention.toMillis())
                .mapTo(Long.class)
                .one());
    }

    private Instant now() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT now()")
                .mapTo(OffsetDateTime.class)
                .one()
                .toInstant());
    }
}
