package dev.baton.benchmarks.outbox;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * transaction-outbox of gruelbox: what commits is submitted at once, and a thread flushes what was left, in large batches. Its
 * pool's queue makes the flush wait when it is full: otherwise it would refuse work and count that as an attempt.
 */
final class Gruelbox implements Library {
    private static final int BATCH = 4_096;
    private static final int CHUNK = 100;
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @Override
    public String name() {
        return "gruelbox";
    }

    @Override
    public Session open(HikariDataSource pool) {
        return new Entries(pool);
    }

    /** It is called by name, on an instance of the library's own, and recorded through a subclass. */
    public static class Service {
        private static volatile Consumer<String> handler = payload -> {};

        /** Its job. */
        public void run(String payload) {
            handler.accept(payload);
        }
    }

    private static final class Entries implements Session {
        private final HikariDataSource pool;
        private final TransactionManager transactions;
        private final AtomicLong handed = new AtomicLong();
        private volatile TransactionOutbox outbox;
        private volatile boolean closed;
        private @Nullable ThreadPoolExecutor executor;
        private @Nullable Thread flusher;

        private Entries(HikariDataSource pool) {
            this.pool = pool;
            this.transactions = TransactionManager.fromDataSource(pool);
            this.outbox = outbox((entry, work) -> {}, BATCH);
        }

        @Override
        public void record(String payload) {
            transactions.inTransaction(() -> outbox.schedule(Service.class).run(payload));
        }

        @Override
        public void backlog(int events) {
            for (int from = 0; from < events; from += CHUNK) {
                var chunk = Payloads.chunk(from, Math.min(events, from + CHUNK));
                transactions.inTransaction(() -> {
                    Service service = outbox.schedule(Service.class);
                    chunk.forEach(service::run);
                });
            }
            // As if the process that wrote them were gone: else they are due in two minutes.
            execute("UPDATE txno_outbox SET nextattempttime = now() - interval '1 hour'");
        }

        @Override
        public void start(Consumer<String> handler) {
            Service.handler = payload -> {
                handler.accept(payload);
                handed.incrementAndGet();
            };
            ThreadPoolExecutor threads = new ThreadPoolExecutor(
                    WORKERS, WORKERS, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(4 * BATCH), Entries::put);
            executor = threads;
            outbox = outbox(Submitter.withExecutor(threads), BATCH);
            Thread thread = new Thread(this::flush, "gruelbox-flush");
            flusher = thread;
            thread.start();
        }

        @Override
        public long handed() {
            return handed.get();
        }

        @Override
        public void close() {
            closed = true;
            try {
                if (flusher != null) {
                    flusher.join();
                }
                if (executor != null) {
                    executor.shutdown();
                    if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
                        throw new IllegalStateException("gruelbox has not ended in a minute");
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void flush() {
            while (!closed) {
                if (!outbox.flush()) {
                    LockSupport.parkNanos(REST_NANOS);
                }
            }
        }

        private TransactionOutbox outbox(Submitter submitter, int batch) {
            TransactionOutbox made = TransactionOutbox.builder()
                    .transactionManager(transactions)
                    .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                    .submitter(submitter)
                    .flushBatchSize(batch)
                    .initializeImmediately(false)
                    .build();
            made.initialize();
            return made;
        }

        private static void put(Runnable work, ThreadPoolExecutor threads) {
            try {
                threads.getQueue().put(work);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void execute(String sql) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
