package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisDataException;

/** A server whose memory is full refuses all that could need more: new jobs wait outside, but what is inside goes on. */
class FullServerIT extends OwnServerFixture {
    private static final int JOBS = 20;

    @Test
    void its_jobs_keep_their_leases_and_end_and_others_start() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        queue.enqueue(IntStream.range(0, JOBS)
                .mapToObj(i -> NewJob.of("work", "{}").withId("job-" + i))
                .toList());
        try (RedisWorker worker = RedisWorker.builder(queue)
                .concurrency(2)
                .lease(Duration.ofSeconds(1))
                .handle("work", job -> {
                    begun.countDown();
                    end.await();
                })
                .start()) {
            begun.await();
            admin.configSet("maxmemory", "1");
            assertThatThrownBy(() -> queue.enqueue(List.of(NewJob.of("work", "{}"))))
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageContaining("OOM");
            double first = firstEnd();
            // Renewed twice.
            await().atMost(Duration.ofSeconds(20)).until(() -> firstEnd() > first + 600);
            end.countDown();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> queue.counts().totals().completed() == JOBS);
            assertThat(worker).isNotNull();
        }
        assertThat(queue.counts().totals().reclaimed()).isZero();
        assertThat(queue.counts().totals().lost()).isZero();
    }

    /** Of the leases, in ms. */
    private double firstEnd() {
        return queues.redis()
                .zrangeWithScores(queue.keys().leased(), 0, 0)
                .get(0)
                .getScore();
    }
}
