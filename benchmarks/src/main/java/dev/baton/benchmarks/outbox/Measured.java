package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.FreshDatabase;
import dev.baton.benchmarks.Rounds;
import dev.baton.benchmarks.outbox.Library.Session;
import dev.baton.benchmarks.outbox.Recorder.Recording;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The same measurement for every library, each on a schema of its own. */
final class Measured {
    private static final Duration WRITE = Duration.ofSeconds(3);
    private static final Duration TURN = Duration.ofMillis(200);
    private static final int TURNS = 100;
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private Measured() {}

    /** How many events so many writers record per second, one per transaction. */
    static Map<Figure, Double> writing(Recorder recorder, int writers) throws Exception {
        return on(recorder::open, session -> {
            try (Writers threads = new Writers(writers)) {
                return threads.write(session::record, WRITE);
            }
        });
    }

    /** Two who write the same row into the same table, in very many short turns: for figures that are close to each other. */
    static Rounds writingInTurns(Recorder ours, Recorder peer, int writers) throws Exception {
        return FreshDatabase.use(Library.CONNECTIONS, pool -> {
            try (Recording our = ours.open(pool);
                    Recording other = peer.open(pool);
                    Writers threads = new Writers(writers)) {
                return Rounds.many(
                        TURNS, () -> threads.write(our::record, TURN), () -> threads.write(other::record, TURN));
            }
        });
    }

    /** How many events of a backlog are handed over per second. */
    static Map<Figure, Double> draining(Library library, int events) throws Exception {
        return on(library::open, session -> {
            session.backlog(events);
            return Map.of(Figure.EVENTS, drain(session, events));
        });
    }

    /** From the commit to the first line of the handler, one event after the other at this pace. */
    static Map<Figure, Double> latency(Library library, int perSecond, int events) throws Exception {
        return on(library::open, session -> {
            int warmUp = events / 5;
            int all = warmUp + events;
            AtomicLongArray started = new AtomicLongArray(all);
            long[] committed = new long[all];
            session.start(payload -> started.set(Payloads.number(payload), System.nanoTime()));
            long began = System.nanoTime();
            for (int n = 0; n < all; n++) {
                long due = began + n * TimeUnit.SECONDS.toNanos(1) / perSecond;
                while (due - System.nanoTime() > 0) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                session.record(Payloads.of(n));
                committed[n] = System.nanoTime();
            }
            await(() -> session.handed() >= all, library.name());
            double[] millis = new double[events];
            for (int n = 0; n < events; n++) {
                // A handler may be quicker than the way from the commit back to the caller.
                millis[n] = Math.max(0, started.get(warmUp + n) - committed[warmUp + n]) / 1e6;
            }
            Arrays.sort(millis);
            return Map.of(Figure.P50, millis[events / 2], Figure.P99, millis[events * 99 / 100]);
        });
    }

    /** Events per second. The first tenth is not timed: a library that polls may begin seconds after its start. */
    static double drain(Session session, int events) {
        session.start(payload -> {});
        await(() -> session.handed() >= events / 10, "the beginning of the backlog");
        long began = System.nanoTime();
        long before = session.handed();
        await(() -> session.handed() >= events, "the backlog");
        return (events - before) * 1e9 / (System.nanoTime() - began);
    }

    static void await(BooleanSupplier condition, String what) {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - began > PATIENCE_NANOS) {
                throw new IllegalStateException(what + " was not done in ten minutes");
            }
            LockSupport.parkNanos(500_000);
        }
    }

    private static <S extends Recording> Map<Figure, Double> on(Opener<S> opener, Work<S> work) throws Exception {
        return FreshDatabase.use(Library.CONNECTIONS, pool -> {
            try (S session = opener.open(pool)) {
                return work.measure(session);
            }
        });
    }

    private interface Opener<S> {
        S open(HikariDataSource pool) throws Exception;
    }

    private interface Work<S> {
        Map<Figure, Double> measure(S session) throws Exception;
    }
}
