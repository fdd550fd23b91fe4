package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.DeadLetter;
import dev.baton.failure.DeathReason;
import dev.baton.failure.Outcome;
import dev.baton.failure.PermanentException;
import dev.baton.job.EnqueueAnswer;
import dev.baton.job.NewJob;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The way of dead jobs to the dead-letter store. */
class BuryIT extends WorkerFixture {
    @Test
    void a_store_that_is_down_loses_no_dead_letter_and_one_that_refuses_a_letter_gets_the_others() {
        letters.down.set(true);
        letters.refused.add("refused");
        try (RedisWorker worker = worker(job -> {
                    throw new PermanentException("never");
                })
                .start()) {
            for (String id : List.of("a", "refused", "b")) {
                queue.enqueue(NewJob.of("work", "{}").withId(id));
            }
            await().until(() -> queue.counts().dead() == 3 && letters.tried.get() > 0);
            letters.down.set(false);
            await().until(() -> letters.open(10).size() == 2);
            await().until(() -> queue.counts().dead() == 1);
            letters.refused.clear();
            await().until(() -> queue.counts().dead() == 0);
            assertThat(worker).isNotNull();
        }
        assertThat(letters.open(10)).extracting(DeadLetter::jobId).containsExactlyInAnyOrder("a", "refused", "b");
    }

    @Test
    void as_many_refused_letters_as_a_batch_has_do_not_hold_up_those_behind_them() {
        List<String> refused =
                IntStream.range(0, 60).mapToObj(i -> "refused-" + i).toList();
        letters.refused.addAll(refused);
        try (RedisWorker worker = worker(job -> {
                    throw new PermanentException("never");
                })
                .concurrency(1)
                .start()) {
            refused.forEach(id -> queue.enqueue(NewJob.of("work", "{}").withId(id)));
            queue.enqueue(NewJob.of("work", "{}").withId("last"));
            await().until(() -> letters.kept.containsKey("last"));
            letters.refused.clear();
            await().until(() -> letters.kept.size() == 61 && queue.counts().dead() == 0);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void a_dead_job_whose_last_failure_cannot_be_read_is_buried_and_holds_up_no_other() {
        letters.down.set(true);
        try (RedisWorker worker = worker(job -> {
                    throw new PermanentException("never");
                })
                .start()) {
            queue.enqueue(NewJob.of("work", "{\"n\":1}").withId("broken"));
            queue.enqueue(NewJob.of("work", "{}").withId("whole"));
            await().until(() -> queue.counts().dead() == 2);
            String key = queue.keys().job("broken");
            String[] lines = queues.redis().get(key).split("\n", 3);
            queues.redis().set(key, lines[0] + "\nnot json\n" + lines[2]);
            assertThat(queue.admin().find("broken")).isPresent();
            letters.down.set(false);
            await().until(() -> queue.counts().dead() == 0);
            assertThat(worker).isNotNull();
        }
        assertThat(letters.open(10))
                .filteredOn(letter -> letter.jobId().equals("broken"))
                .singleElement()
                .satisfies(broken -> {
                    assertThat(broken.payload()).isEqualTo("{\"n\":1}");
                    assertThat(broken.error()).contains("cannot be read");
                });
    }

    @Test
    void a_record_that_cannot_be_read_becomes_a_dead_letter_and_stops_nobody() {
        queue.enqueue(NewJob.of("work", "{}").withId("broken").orderedBy("k").unique("u"));
        queues.redis().set(queue.keys().job("broken"), "0 0 0 0 0\tk\tu\n\nwork\tnot json\npayload");
        AtomicBoolean ran = new AtomicBoolean();
        queue.enqueue(NewJob.of("work", "{}").withId("whole").orderedBy("k"));
        try (RedisWorker worker = worker(job -> ran.set(true)).start()) {
            await().until(() -> ran.get() && !letters.open(1).isEmpty());
            assertThat(worker).isNotNull();
        }
        assertThat(letters.open(1).get(0).payload()).contains("payload");
        assertThat(queue.enqueue(NewJob.of("work", "{}").unique("u"))).isEqualTo(EnqueueAnswer.ACCEPTED);
    }

    @Test
    void records_that_are_none_at_all_are_reclaimed_and_buried_and_lose_nobody() {
        for (int i = 0; i < 3; i++) {
            queue.enqueue(NewJob.of("work", "{}").withId("job-" + i));
        }
        Exchange dies = new Exchange(queue, Duration.ofMillis(1));
        assertThat(dies.send(dies.request(List.of(), 3)).taken()).hasSize(3);
        queues.redis().set(queue.keys().job("job-1"), "nonsense");
        AtomicInteger ran = new AtomicInteger();
        try (RedisWorker worker = worker(job -> ran.incrementAndGet()).start()) {
            await().until(() -> ran.get() == 2 && letters.open(2).size() == 1);
            assertThat(worker).isNotNull();
        }
        assertThat(letters.open(1).get(0).jobId()).isEqualTo("job-1");
        assertThat(queue.counts().leased()).isZero();
    }

    @Test
    void a_dead_job_whose_record_is_missing_waits_for_it_and_holds_up_no_other() {
        for (String id : List.of("away", "here")) {
            queue.enqueue(NewJob.of("work", "{}").withId(id));
        }
        Exchange worker = new Exchange(queue, Duration.ofMinutes(1));
        List<Settlement> deaths = worker.send(worker.request(List.of(), 2)).taken().stream()
                .map(QueueFixture::lease)
                .map(lease -> Settlement.failed(
                        lease, new Outcome.Bury(DeathReason.PERMANENT), new PermanentException("never")))
                .toList();
        worker.send(worker.request(deaths, 0));
        String record = queues.redis().getDel(queue.keys().job("away"));
        BuryPass pass = new BuryPass(queue, letters);

        pass.run();
        assertThat(letters.kept).containsOnlyKeys("here");
        assertThat(queue.counts().dead()).isOne();

        queues.redis().set(queue.keys().job("away"), record);
        pass.run();
        assertThat(letters.kept).containsOnlyKeys("here", "away");
        assertThat(queue.counts().dead()).isZero();
    }
}
