package dev.baton.benchmarks.guard;

import dev.baton.benchmarks.Benchmark;
import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.FreshDatabase;
import dev.baton.benchmarks.Report;
import dev.baton.benchmarks.Rounds;
import dev.baton.idempotency.GuardSchema;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.servers.Postgres;
import org.jdbi.v3.core.Jdbi;

/**
 * What the guard adds to an effect, beside the bare effect in the same transaction: one message per transaction, and a
 * batch of them. And how long it takes to bury jobs in the dead-letter store, and to read a page of a million letters;
 * these have no peer.
 */
public final class GuardBench implements Benchmark {
    private static final int SINGLES = 20_000;
    private static final int BATCHED = 200_000;
    private static final int BATCH = 1_000;
    private static final int SMALL_BATCH = 100;

    @Override
    public void run(Report report) throws Exception {
        System.out.println(Postgres.get().describe());
        FreshDatabase.use(2, pool -> {
            Jdbi jdbi = Jdbi.create(pool);
            GuardSchema.migrate(jdbi);
            OutboxSchema.migrate(jdbi);
            Awards awards = new Awards(jdbi);
            report.add("guard.once@bare", Figure.US, Rounds.many(SINGLES, awards::guarded, awards::bare));
            report.add("guard.batch@bare", Figure.US, batches(awards, BATCH));
            report.add("guard.batch100@bare", Figure.US, batches(awards, SMALL_BATCH));
            try (Deaths deaths = new Deaths(jdbi)) {
                report.add("bury.10k", Figure.JOBS, Rounds.run(5, deaths::die, deaths::succeed));
            }
            Burial burial = new Burial(jdbi);
            report.add("bury.10k.store", Figure.LETTERS, Rounds.run(5, burial::bury, Burial::none));
            LetterPages pages = new LetterPages(jdbi).fill(Integer.getInteger("bench.million", 1_000_000));
            Rounds read = Rounds.run(5, pages::read, Burial::none);
            report.add("letters.page.1m.p50", Figure.P50, read);
            report.add("letters.page.1m.p99", Figure.P99, read);
            return report;
        });
    }

    private static Rounds batches(Awards awards, int size) throws Exception {
        return Rounds.many(BATCHED / size, () -> awards.guardedBatch(size), () -> awards.bareBatch(size));
    }
}
