package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.outbox.Event;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random transactions by four writers: commit, rollback, savepoint, kill; and two relays that die at random steps. Each
 * transaction counts its aggregate's versions up in the row that it locks, and writes an event per version: so a queue must
 * hold, per aggregate, exactly the versions 1 to n in this order.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RelayTortureIT {
    private static final int MIXES = Integer.getInteger("baton.mixes", 1_500);
    private static final int WRITERS = 4;
    private static final int AGGREGATES = 25;

    private final String url = Postgres.freshSchema() + "&options=-c%20synchronous_commit=off&ApplicationName=";
    private final HikariDataSource writersPool = Database.poolOf(url + "writer");
    private final HikariDataSource relaysPool = Database.poolOf(url + "relay");
    private final Jdbi jdbi = Jdbi.create(writersPool);
    private final Jdbi relays = Jdbi.create(relaysPool);
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter();
    private final MemorySink payments = new MemorySink("payments");
    private final MemorySink mail = new MemorySink("mail");
    private final AtomicInteger mixes = new AtomicInteger();
    private final AtomicInteger deaths = new AtomicInteger();
    private final AtomicBoolean done = new AtomicBoolean();
    private int shards;

    @AfterEach
    void close() {
        relaysPool.close();
        writersPool.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatever_dies_each_committed_event_is_in_each_queue_once_and_in_order(int number) throws InterruptedException {
        shards = number;
        OutboxSchema.migrate(jdbi);
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE aggregates (id int PRIMARY KEY, version int NOT NULL)");
            handle.execute("INSERT INTO aggregates SELECT n, 0 FROM generate_series(1, ?) AS n", AGGREGATES);
        });
        payments.between = this::perhapsDie;
        mail.between = this::perhapsDie;
        List<Thread> writers = start(WRITERS, this::writeUntilEnough);
        List<Thread> relaying = start(2, this::relayUntilDone);
        for (Thread thread : writers) {
            thread.join();
        }
        done.set(true);
        for (Thread thread : relaying) {
            thread.join();
        }
        payments.between = () -> {};
        mail.between = () -> {};
        Relay last = relay();
        while (last.runOnce().more() || last.lag().unpublished() > 0) {
            // One more.
        }
        Map<String, List<Integer>> expected = expected();
        assertThat(versions(payments)).isEqualTo(expected);
        assertThat(versions(mail)).isEqualTo(expected);
        assertThat(deaths.get()).as("deaths of relays").isGreaterThan(MIXES / 200);
    }

    private void writeUntilEnough() {
        Random random = ThreadLocalRandom.current();
        while (mixes.incrementAndGet() <= MIXES) {
            try (Handle handle = jdbi.open()) {
                handle.begin();
                if (random.nextInt(10) < 3) {
                    // A transaction that draws numbers first and commits late.
                    handle.execute("SELECT nextval(pg_get_serial_sequence('outbox_events', 'seq'))");
                }
                int aggregate = 1 + random.nextInt(AGGREGATES);
                write(handle, aggregate, 1 + random.nextInt(3));
                if (random.nextInt(4) == 0) {
                    handle.savepoint("s");
                    write(handle, aggregate, 1 + random.nextInt(2));
                    if (random.nextBoolean()) {
                        handle.rollbackToSavepoint("s");
                    }
                }
                int end = random.nextInt(20);
                if (end == 0) {
                    handle.execute("SELECT pg_terminate_backend(pg_backend_pid())");
                } else if (end < 4) {
                    handle.rollback();
                } else {
                    handle.commit();
                }
            } catch (RuntimeException killed) {
                // Its transaction is gone, and the row says so.
            }
        }
    }

    private void write(Handle handle, int aggregate, int n) {
        int version = handle.createQuery("UPDATE aggregates SET version = version + ? WHERE id = ? RETURNING version")
                .bind(0, n)
                .bind(1, aggregate)
                .mapTo(Integer.class)
                .one();
        List<Event> events = new ArrayList<>();
        for (int i = version - n + 1; i <= version; i++) {
            events.add(Event.of("a", aggregate, Integer.toString(i)));
        }
        writer.write(handle, events);
    }

    private void relayUntilDone() {
        Relay relay = relay();
        while (!done.get()) {
            try {
                relay.runOnce();
            } catch (RuntimeException died) {
                deaths.incrementAndGet();
                relay = relay();
            }
        }
    }

    private void perhapsDie() {
        int dice = ThreadLocalRandom.current().nextInt(300);
        if (dice == 0) {
            throw new IllegalStateException("dies");
        } else if (dice == 1) {
            // The other one, or this one; it goes on handing over, and cannot commit.
            jdbi.useHandle(handle -> handle.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name = 'relay' AND state = 'idle in transaction'"));
        }
    }

    private Relay relay() {
        Routes routes =
                Routes.builder().route("a", payments, "x").route("a", mail, "x").build();
        return Relay.builder(new JdbiOutboxStore(relays), routes)
                .batchSize(10)
                .shards(shards)
                .pollInterval(Duration.ofMillis(20))
                .build();
    }

    private Map<String, List<Integer>> expected() {
        Map<String, List<Integer>> expected = new LinkedHashMap<>();
        jdbi.useHandle(handle -> handle.createQuery("SELECT id::text, version FROM aggregates WHERE version > 0")
                .map((row, context) -> Map.entry(row.getString(1), row.getInt(2)))
                .forEach(row -> expected.put(
                        row.getKey(),
                        IntStream.rangeClosed(1, row.getValue()).boxed().toList())));
        return expected;
    }

    private static Map<String, List<Integer>> versions(MemorySink sink) {
        Map<String, List<Integer>> versions = new LinkedHashMap<>();
        for (Event event : sink.taken()) {
            versions.computeIfAbsent(event.aggregateId(), id -> new ArrayList<>())
                    .add(Integer.parseInt(event.payload()));
        }
        return versions;
    }

    private static List<Thread> start(int n, Runnable work) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(work);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }
}
