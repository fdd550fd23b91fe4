package dev.baton.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.deadletter.RedriveProgress;
import dev.baton.deadletter.RedriveProgress.State;
import dev.baton.deadletter.StoredLetter;
import dev.baton.failure.PermanentException;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.JdbiRedriver;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.job.Job;
import dev.baton.job.JobHandler;
import dev.baton.job.NewJob;
import dev.baton.outbox.OutboxWriter;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hundred letters are sent back with another payload, by a process that is killed in the middle of it. */
@Timeout(120)
class RedriveScenarioIT {
    private static final int HALTED = 77;
    private static final int LETTERS = 100;
    private static final RedriveOrder ORDER = RedriveOrder.of(LetterFilter.OPEN, "ann", "amounts were wrong")
            .patch("{\"amount\":8}")
            .perSecond(50);

    private final String url = Postgres.freshSchema();
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(url));
    private final JdbiDeadLetterStore letters = new JdbiDeadLetterStore(jdbi);
    private final RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
    private final RedisJobQueue queue = queues.queue("payments");
    private final Routes routes =
            Routes.builder().route("work.asked", queue, "work").build().redrivable();

    /** The redriver that dies. Arguments: JDBC URL, topics. */
    public static void main(String[] args) throws InterruptedException {
        AtomicInteger batches = new AtomicInteger();
        OutboxWriter<Handle> halting = (transaction, events) -> {
            var answers = new JdbiOutboxWriter().write(transaction, events);
            if (batches.incrementAndGet() == 3) {
                Runtime.getRuntime().halt(HALTED);
            }
            return answers;
        };
        Jdbi jdbi = Jdbi.create(Postgres.dataSource(args[0]));
        new JdbiRedriver(jdbi, halting, Set.of(args[1].split(",", -1))).start().redrive(ORDER);
        new CountDownLatch(1).await();
    }

    @BeforeEach
    void create() {
        OutboxSchema.migrate(jdbi);
    }

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void thirty_of_a_hundred_die_again_into_their_own_rows_and_there_are_no_twins() throws Exception {
        Map<String, Integer> succeeded = new ConcurrentHashMap<>();
        JobHandler handler = job -> {
            boolean patched = job.payload().contains("8");
            if (!patched || job.payload().contains("\"bad\"")) {
                throw new PermanentException("no");
            }
            succeeded.merge(job.messageId(), 1, Integer::sum);
        };
        try (RedisWorker worker = RedisWorker.builder(queue)
                        .deadLetters(letters)
                        .handle("work", handler)
                        .start();
                Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), routes).start()) {
            queue.enqueue(IntStream.range(0, LETTERS)
                    .mapToObj(i -> NewJob.of("work", Map.of("amount", 7, "kind", i < 30 ? "bad" : "good"))
                            .withId("job-" + i))
                    .toList());
            await().until(() -> letters.count(LetterFilter.OPEN) == LETTERS);

            assertThat(redriveUntilHalted()).isEqualTo(HALTED);
            long sentByTheFirst = letters.count(LetterFilter.ALL) - neverSentBack();
            assertThat(sentByTheFirst).isBetween(1L, LETTERS - 1L);

            UUID run = jdbi.withHandle(handle -> handle.select("SELECT id FROM dead_letter_redrives")
                    .mapTo(UUID.class)
                    .one());
            try (JdbiRedriver redriver = new JdbiRedriver(jdbi, new JdbiOutboxWriter(), routes.topics()).start()) {
                await().until(() -> redriver.progress(run).orElseThrow().state() == State.DONE);
                assertThat(redriver.progress(run)).contains(new RedriveProgress(run, State.DONE, LETTERS, 0));
            }
            await().until(() -> succeeded.size() == LETTERS - 30 && letters.count(LetterFilter.OPEN) == 30);
            await().until(() -> queue.counts().dead() == 0);
            assertThat(List.of(worker, relay)).isNotEmpty();
        }
        assertThat(succeeded)
                .hasSize(LETTERS - 30)
                .allSatisfy((message, times) -> assertThat(times).as(message).isEqualTo(1));
        assertThat(letters.count(LetterFilter.ALL)).as("no twins").isEqualTo(LETTERS);
        assertThat(letters.list(LetterFilter.OPEN, null, LETTERS).letters())
                .hasSize(30)
                .allSatisfy(this::isTheSameLetter);
    }

    private void isTheSameLetter(StoredLetter letter) {
        assertThat(letter.redrives()).isEqualTo(1);
        assertThat(letter.history()).hasSize(2);
        assertThat(letter.letter().messageId()).startsWith("job-");
        assertThat(letter.letter().jobId()).isNotEqualTo(letter.letter().messageId());
        assertThat(letter.letter().headers())
                .containsEntry(Job.MESSAGE_ID, letter.letter().messageId());
    }

    private long neverSentBack() {
        return jdbi.withHandle(handle -> handle.select("SELECT count(*) FROM dead_letters WHERE redrives = 0")
                .mapTo(Long.class)
                .one());
    }

    private int redriveUntilHalted() throws IOException, InterruptedException {
        ProcessBuilder child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        RedriveScenarioIT.class.getName(),
                        url,
                        String.join(",", routes.topics()))
                .inheritIO();
        child.environment().put("DATABASE_URL", Postgres.get().databaseUrl());
        return child.start().waitFor();
    }
}
