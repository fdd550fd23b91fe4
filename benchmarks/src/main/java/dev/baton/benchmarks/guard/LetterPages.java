package dev.baton.benchmarks.guard;

import dev.baton.benchmarks.Figure;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.LetterPage;
import dev.baton.jdbi.JdbiDeadLetterStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jdbi.v3.core.Jdbi;

/** Pages of the dead letters, each behind a letter somewhere among them. */
final class LetterPages {
    private static final int PAGE = 100;
    private static final int PAGES = 200;
    private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");

    /** One letter per second, in ten queues with twenty kinds of error. */
    private static final String FILL = """
            INSERT INTO dead_letters (queue, message_id, job_id, job_name, payload, reason, error_class, error, attempts,
                                      starts, first_failure_at, died_at, error_group, history)
            SELECT 'queue-' || n % 10, n::text, n::text, 'capture-payment', '{"total":250000}', 'ATTEMPTS',
                   'java.lang.IllegalStateException', 'the gateway said no', 8, 8, CAST(? AS timestamptz),
                   CAST(? AS timestamptz) + n * interval '1 s', 'group-' || n % 20, '[]'
            FROM generate_series(1, ?) AS n""";

    private final Jdbi jdbi;
    private final JdbiDeadLetterStore store;
    private int letters;

    LetterPages(Jdbi jdbi) {
        this.jdbi = jdbi;
        this.store = new JdbiDeadLetterStore(jdbi);
    }

    /** Puts so many letters in place of all others. */
    LetterPages fill(int count) {
        letters = count;
        jdbi.useHandle(handle -> {
            handle.execute("TRUNCATE dead_letters CASCADE");
            handle.execute(FILL, FIRST.toString(), FIRST.toString(), count);
            handle.execute("VACUUM ANALYZE dead_letters");
        });
        return this;
    }

    /** By state, by queue, by error group, and all of them, in turn. */
    Map<Figure, Double> read() {
        List<LetterFilter> filters = List.of(
                LetterFilter.OPEN,
                LetterFilter.ALL.queue("queue-3"),
                LetterFilter.ALL.group("group-7"),
                LetterFilter.ALL);
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < PAGES; i++) {
            Instant died = FIRST.plusSeconds(ThreadLocalRandom.current().nextInt(letters));
            long began = System.nanoTime();
            store.list(filters.get(i % filters.size()), new LetterPage.Cursor(died, new UUID(0, 0)), PAGE);
            millis.add((System.nanoTime() - began) / 1e6);
        }
        millis.sort(null);
        return Map.of(Figure.P50, millis.get(PAGES / 2), Figure.P99, millis.get(PAGES * 99 / 100));
    }
}
