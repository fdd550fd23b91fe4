package dev.baton.benchmarks.outbox;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * db-scheduler: lock-and-fetch, as its documentation says for throughput, and immediate execution, as it says for latency. It
 * schedules in a transaction of its own, which spares it a round trip that a caller's transaction would cost.
 */
final class DbScheduler implements Library {
    private static final TaskDescriptor<String> TASK = TaskDescriptor.of("capture", String.class);
    private static final int CHUNK = 100;
    private static final List<String> TABLES = List.of(
            "CREATE TABLE scheduled_tasks (task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,"
                    + " execution_time timestamptz NOT NULL, picked boolean NOT NULL, picked_by text,"
                    + " last_success timestamptz, last_failure timestamptz, consecutive_failures int,"
                    + " last_heartbeat timestamptz, version bigint NOT NULL, priority smallint,"
                    + " PRIMARY KEY (task_name, task_instance))",
            "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
            "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)",
            "CREATE INDEX priority_execution_time_idx ON scheduled_tasks (priority DESC, execution_time ASC)");

    @Override
    public String name() {
        return "db-scheduler";
    }

    @Override
    public Session open(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : TABLES) {
                statement.execute(sql);
            }
        }
        return new Tasks16(pool);
    }

    private static final class Tasks16 implements Session {
        private final HikariDataSource pool;
        private final AtomicLong handed = new AtomicLong();
        private volatile SchedulerClient client;
        private @Nullable Scheduler scheduler;

        private Tasks16(HikariDataSource pool) {
            this.pool = pool;
            this.client =
                    SchedulerClient.Builder.create(pool, task(payload -> {})).build();
        }

        @Override
        public void record(String payload) {
            client.scheduleIfNotExists(instance(payload), Instant.now());
        }

        @Override
        public void backlog(int events) {
            for (int from = 0; from < events; from += CHUNK) {
                List<TaskInstance<?>> chunk = Payloads.chunk(from, Math.min(events, from + CHUNK)).stream()
                        .map(Tasks16::instance)
                        .collect(Collectors.toList());
                client.scheduleBatch(chunk, Instant.now());
            }
        }

        @Override
        public void start(Consumer<String> handler) {
            Scheduler started = Scheduler.create(pool, task(handler))
                    .threads(WORKERS)
                    .pollUsingLockAndFetch(1.0, 4.0)
                    .enableImmediateExecution()
                    .build();
            started.start();
            scheduler = started;
            client = started;
        }

        @Override
        public long handed() {
            return handed.get();
        }

        @Override
        public void close() {
            if (scheduler != null) {
                scheduler.stop();
            }
        }

        private OneTimeTask<String> task(Consumer<String> handler) {
            return Tasks.oneTime(TASK).execute((instance, context) -> {
                handler.accept(instance.getData());
                handed.incrementAndGet();
            });
        }

        private static TaskInstance<String> instance(String payload) {
            return TASK.instance(UUID.randomUUID().toString()).data(payload).build();
        }
    }
}
