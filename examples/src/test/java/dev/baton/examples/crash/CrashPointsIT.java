package dev.baton.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveProgress;
import dev.baton.idempotency.GuardSchema;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiRedriver;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.redis.QueueCounts;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kills a JVM at each crash point of the guarantees page, lets others go on, and holds the table to what is found. */
@Timeout(120)
class CrashPointsIT {
    private final String url = Postgres.freshSchema();
    private final String prefix = Redis.freshPrefix();
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(url));
    private final JdbiDeadLetterStore letters = new JdbiDeadLetterStore(jdbi);

    @BeforeEach
    void create() {
        OutboxSchema.migrate(jdbi);
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE orders (id text NOT NULL)");
            handle.execute("CREATE TABLE accounts (points int NOT NULL)");
            handle.execute("INSERT INTO accounts VALUES (0)");
        });
    }

    @Test
    void the_page_has_a_row_for_each_crash_point() throws IOException {
        assertThat(rows())
                .extracting(Row::point)
                .containsExactlyElementsOf(Arrays.stream(CrashPoint.values())
                        .filter(point -> point != CrashPoint.NOWHERE)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void after_a_crash_there_is_what_the_page_says(Row row) throws Exception {
        if (row.point.name().startsWith("REDRIVE")) {
            leaveALetter();
        }
        assertThat(runUntilHalted(row.point)).isEqualTo(CrashPoint.HALTED);
        try (CrashingSystem healthy = system();
                Relay relay = healthy.relay();
                RedisWorker worker = healthy.worker();
                JdbiRedriver redriver = healthy.redriver().start()) {
            await().atMost(Duration.ofSeconds(30)).until(() -> settled(healthy));
            assertThat(List.of(relay, worker, redriver)).isNotEmpty();
        }
        assertThat(number("SELECT count(*) FROM orders")).as("orders").isEqualTo(row.orders);
        assertThat(number("SELECT points FROM accounts")).as("effects").isEqualTo(row.effects);
        assertThat(letters.count(LetterFilter.OPEN)).as("open letters").isEqualTo(row.letters);
        assertThat(letters.count(LetterFilter.ALL)).as("no twins").isLessThanOrEqualTo(1);
    }

    /** Nothing is on its way any more. */
    private boolean settled(CrashingSystem system) {
        QueueCounts counts = system.queue().counts();
        return new JdbiOutboxStore(jdbi).lag(Set.of()).unpublished() == 0
                && number("SELECT count(*) FROM outbox_parked") == 0
                && number("SELECT count(*) FROM dead_letter_redrives WHERE state = '" + RedriveProgress.State.RUNNING
                                + "'")
                        == 0
                && counts.pending() == 0
                && counts.leased() == 0
                && counts.dead() == 0;
    }

    /** A letter of a job that would do well now. */
    private void leaveALetter() {
        try (CrashingSystem system = system();
                Relay relay = system.relay();
                RedisWorker worker = system.worker()) {
            system.place(CrashingSystem.POISON);
            await().until(() -> letters.count(LetterFilter.OPEN) == 1);
            await().until(() -> system.queue().counts().dead() == 0);
            assertThat(List.of(relay, worker)).isNotEmpty();
        }
        jdbi.useHandle(handle -> handle.execute("UPDATE dead_letters SET payload = '{}'"));
    }

    private CrashingSystem system() {
        return new CrashingSystem(CrashPoint.NOWHERE, url, Redis.get().uri(), prefix);
    }

    private int runUntilHalted(CrashPoint point) throws IOException, InterruptedException {
        ProcessBuilder child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingSystem.class.getName(),
                        point.name(),
                        url,
                        Redis.get().uri().toString(),
                        prefix)
                .inheritIO();
        child.environment().put("DATABASE_URL", Postgres.get().databaseUrl());
        child.environment().put("REDIS_URL", Redis.get().uri().toString());
        return child.start().waitFor();
    }

    private int number(String sql) {
        return jdbi.withHandle(
                handle -> handle.createQuery(sql).mapTo(Integer.class).one());
    }

    /** {@code | `POINT` | .. | .. | orders | effects | open letters |} */
    static List<Row> rows() throws IOException {
        return GuaranteesPage.rows("What a crash leaves").stream()
                .map(cells -> new Row(
                        CrashPoint.valueOf(cells.get(0)),
                        Integer.parseInt(cells.get(3)),
                        Integer.parseInt(cells.get(4)),
                        Integer.parseInt(cells.get(5))))
                .toList();
    }

    /** What the page says of a crash point: how many there are after the others have gone on. */
    record Row(CrashPoint point, int orders, int effects, int letters) {}
}
