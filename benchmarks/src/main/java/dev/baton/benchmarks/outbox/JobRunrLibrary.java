package dev.baton.benchmarks.outbox;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.scheduling.BackgroundJob;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;

/**
 * JobRunr, without the paid extension that joins the caller's transaction: it enqueues in one of its own. It polls every five
 * seconds, the shortest it allows.
 */
final class JobRunrLibrary implements Library {
    private static final int POLL_SECONDS = 5;

    @Override
    public String name() {
        return "jobrunr";
    }

    @Override
    public Session open(HikariDataSource pool) {
        JobRunr.configure()
                .useStorageProvider(new PostgresStorageProvider(pool))
                .initialize();
        return new Jobs(pool);
    }

    /** It is called by name, on an instance of the library's own. */
    public static final class Service {
        private static volatile Consumer<String> handler = payload -> {};

        /** Its job. */
        public void run(String payload) {
            handler.accept(payload);
        }
    }

    private static final class Jobs implements Session {
        private final HikariDataSource pool;
        private final AtomicLong handed = new AtomicLong();

        private Jobs(HikariDataSource pool) {
            this.pool = pool;
        }

        @Override
        public void record(String payload) {
            BackgroundJob.<Service>enqueue(service -> service.run(payload));
        }

        @Override
        public void backlog(int events) {
            BackgroundJob.<Service, String>enqueue(
                    Payloads.chunk(0, events).stream(), (service, payload) -> service.run(payload));
        }

        @Override
        public void start(Consumer<String> handler) {
            Service.handler = payload -> {
                handler.accept(payload);
                handed.incrementAndGet();
            };
            JobRunr.destroy();
            JobRunr.configure()
                    .useStorageProvider(new PostgresStorageProvider(pool))
                    .useBackgroundJobServer(usingStandardBackgroundJobServerConfiguration()
                            .andPollIntervalInSeconds(POLL_SECONDS)
                            .andWorkerCount(WORKERS))
                    .initialize();
        }

        @Override
        public long handed() {
            return handed.get();
        }

        @Override
        public void close() {
            JobRunr.destroy();
        }
    }
}
