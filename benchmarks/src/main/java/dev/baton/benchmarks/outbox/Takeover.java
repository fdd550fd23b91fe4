package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.FreshDatabase;
import dev.baton.benchmarks.outbox.Baton.BatonSession;
import dev.baton.servers.Postgres;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Two relays in processes of their own, under a light load; the one that published last is killed. How long until the other one
 * has published something.
 */
final class Takeover {
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final URI redis;

    Takeover(URI redis) {
        this.redis = redis;
    }

    Map<Figure, Double> measure() throws Exception {
        return FreshDatabase.use(Library.CONNECTIONS, pool -> {
            try (BatonSession session = new Baton(redis, 1, false).open(pool);
                    Writer writer = new Writer(session);
                    Child one = child(pool);
                    Child two = child(pool)) {
                Measured.await(() -> one.lastWork + two.lastWork > 0, "the first batch");
                long began = System.nanoTime();
                Measured.await(() -> System.nanoTime() - began > SETTLED_NANOS && writer.alive(), "the load");
                Child working = one.lastWork > two.lastWork ? one : two;
                Child standing = working == one ? two : one;
                long killed = System.nanoTime();
                working.close();
                Measured.await(() -> standing.lastWork > killed, "the takeover");
                return Map.of(Figure.P50, (standing.lastWork - killed) / 1e6);
            }
        });
    }

    private Child child(HikariDataSource pool) throws Exception {
        try (Connection connection = pool.getConnection()) {
            return new Child(connection.getSchema(), redis);
        }
    }

    /** A {@link RelayChild}, and when it last said that it had published something. */
    private static final class Child implements AutoCloseable {
        private final Process process;
        private volatile long lastWork;

        private Child(String schema, URI redis) throws IOException {
            ProcessBuilder child = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            RelayChild.class.getName(),
                            schema,
                            redis.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            child.environment().put("DATABASE_URL", Postgres.get().databaseUrl());
            this.process = child.start();
            Thread reader = new Thread(this::listen, "takeover-reader");
            reader.setDaemon(true);
            reader.start();
        }

        private void listen() {
            process.inputReader()
                    .lines()
                    .filter(RelayChild.WORKS::equals)
                    .forEach(line -> lastWork = System.nanoTime());
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** A light load. */
    private static final class Writer implements AutoCloseable {
        private final Thread thread;
        private volatile boolean closed;

        private Writer(BatonSession session) {
            this.thread = new Thread(() -> write(session), "takeover-writer");
            thread.start();
        }

        private boolean alive() {
            return thread.isAlive();
        }

        private void write(BatonSession session) {
            for (int n = 0; !closed; n++) {
                session.record(Payloads.of(n));
                LockSupport.parkNanos(1_000_000);
            }
        }

        @Override
        public void close() {
            closed = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
