package dev.baton.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.deadletter.StoredLetter;
import dev.baton.failure.DeathReason;
import dev.baton.failure.PermanentException;
import dev.baton.failure.RetryPolicy;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.JdbiRedriver;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.job.Job;
import dev.baton.job.JobHandler;
import dev.baton.job.NewJob;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisWorker;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Gate;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deaths on both real servers. */
@Timeout(60)
class FailureScenariosIT {
    private final String url = Postgres.freshSchema();
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(url));
    private final Gate gate = Gate.to(URI.create(url.substring("jdbc:".length())));
    private final JdbiDeadLetterStore letters = new JdbiDeadLetterStore(jdbi);
    private final RedisQueues queues = RedisQueues.connect(Redis.get().uri(), Redis.freshPrefix());
    private final RedisJobQueue queue = queues.queue("payments");

    @BeforeEach
    void create() {
        OutboxSchema.migrate(jdbi);
    }

    @AfterEach
    void close() {
        queues.close();
        gate.close();
    }

    @Test
    void fifty_jobs_that_die_while_the_database_is_down_are_all_in_the_store_once_it_is_back() {
        gate.shut();
        gate.countFromNow();
        try (RedisWorker worker = worker(job -> {
            throw new PermanentException("never");
        })) {
            queue.enqueue(IntStream.range(0, 50)
                    .mapToObj(i -> NewJob.of("work", "{}").withId("job-" + i))
                    .toList());
            await().until(() -> queue.counts().dead() == 50 && gate.mostInASecond() > 0);
            assertThat(letters.count(LetterFilter.ALL)).isZero();
            gate.open();
            await().until(() -> letters.count(LetterFilter.OPEN) == 50);
            await().until(() -> queue.counts().dead() == 0);
            assertThat(worker).isNotNull();
        }
        assertThat(letters.open(100)).extracting(DeadLetter::jobId).doesNotHaveDuplicates();
    }

    @Test
    void a_permanent_error_inside_wrappers_inside_a_chain_that_loops_dies_at_its_first_attempt() {
        Exception outer = new Exception("outer");
        Exception inner = new Exception("inner", outer);
        outer.initCause(new ExecutionException(new UndeclaredThrowableException(new PermanentException("no", inner))));
        StoredLetter letter = dies(job -> {
            throw outer;
        });
        assertThat(letter.letter().reason()).isEqualTo(DeathReason.PERMANENT);
        assertThat(letter.letter().attempts()).isEqualTo(1);
        assertThat(letter.letter().starts()).isEqualTo(1);
    }

    @Test
    void a_failure_of_25_megabytes_and_ten_thousand_causes_is_stored_within_the_caps_and_can_be_read() {
        StoredLetter letter = dies(job -> {
            Throwable chain = new PermanentException("root");
            for (int i = 0; i < 10_000; i++) {
                chain = new Exception("level " + i, chain);
            }
            throw new Exception("x".repeat(25_000_000), chain);
        });
        assertThat(letter.letter().reason()).isEqualTo(DeathReason.PERMANENT);
        assertThat(letter.letter().error()).hasSize(8 * 1024);
        assertThat(letter.letter().stackTrace()).hasSizeLessThanOrEqualTo(16 * 1024);
    }

    @Test
    void a_job_that_is_sent_back_has_its_ordering_key_its_priority_and_its_own_policy_again() {
        RetryPolicy twice = RetryPolicy.DEFAULT.withAttempts(2);
        Routes routes =
                Routes.builder().route("work.asked", queue, "work").build().redrivable();
        try (RedisWorker worker = worker(job -> {
                    throw new PermanentException("never");
                });
                Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), routes).start();
                JdbiRedriver redriver = new JdbiRedriver(jdbi, new JdbiOutboxWriter(), routes.topics()).start()) {
            queue.enqueue(NewJob.of("work", "{}")
                    .orderedBy("k")
                    .priority(7)
                    .unique("u")
                    .retry(twice));
            await().until(() -> letters.count(LetterFilter.OPEN) == 1);
            DeadLetter first = letters.open(1).get(0);
            redriver.redrive(RedriveOrder.of(LetterFilter.OPEN, "ann", "mended"));
            // Letters tell what the record of the job said: so this one tells what the job that was sent back had.
            await().until(() ->
                    letters.open(1).stream().anyMatch(again -> !again.jobId().equals(first.jobId())));
            assertThat(List.of(worker, relay)).doesNotContainNull();
            assertThat(first.headers())
                    .containsOnly(
                            entry("baton.ordering-key", "k"),
                            entry("baton.priority", "7"),
                            entry("baton.retry", twice.toText()));
            assertThat(letters.open(1).get(0).headers())
                    .containsAllEntriesOf(first.headers())
                    .containsEntry(Job.MESSAGE_ID, first.jobId());
        }
    }

    private StoredLetter dies(JobHandler handler) {
        AtomicBoolean other = new AtomicBoolean();
        try (RedisWorker worker = worker(job -> {
            if (job.id().equals("other")) {
                other.set(true);
            } else {
                handler.handle(job);
            }
        })) {
            queue.enqueue(
                    List.of(NewJob.of("work", "{}"), NewJob.of("work", "{}").withId("other")));
            await().until(() -> letters.count(LetterFilter.OPEN) == 1 && other.get());
            assertThat(worker).isNotNull();
        }
        return letters.list(LetterFilter.OPEN, null, 1).letters().get(0);
    }

    private RedisWorker worker(JobHandler handler) {
        String throughGate = url.replaceFirst("//[^/]+/", "//127.0.0.1:" + gate.port() + "/");
        return RedisWorker.builder(queue)
                .deadLetters(new JdbiDeadLetterStore(Jdbi.create(Postgres.dataSource(throughGate))))
                .handle("work", handler)
                .start();
    }
}
