package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

class RouterIT extends OwnServerFixture {
    private static final Pattern OURS = Pattern.compile("id=(\\d+) .*name=baton ");

    private static final Executor CALLERS = task -> new Thread(task, "caller").start();

    @Test
    void a_connection_that_said_READONLY_is_not_used_again() {
        enqueue("a");
        Set<String> before = ours();
        assertThat(before).isNotEmpty();

        admin.replicaof("127.0.0.1", 1);
        assertThatThrownBy(() -> enqueue("b"))
                .isInstanceOf(JedisDataException.class)
                .hasMessageContaining("READONLY");
        await().untilAsserted(() -> assertThat(ours()).doesNotContainAnyElementsOf(before));

        admin.replicaofNoOne();
        enqueue("b");
        assertThat(queue.counts().ready()).isEqualTo(2);
    }

    @Test
    void an_idle_worker_resumes_when_its_server_was_a_replica_for_a_while() {
        Set<String> done = ConcurrentHashMap.newKeySet();
        try (RedisWorker worker = RedisWorker.builder(queue)
                .handle("work", job -> done.add(job.id()))
                .start()) {
            Load.finishes(queue, "before-", 1, done, Duration.ofSeconds(5));
            Set<String> before = ours();

            admin.replicaof("127.0.0.1", 1);
            await().untilAsserted(() -> assertThat(ours()).doesNotContainAnyElementsOf(before));
            admin.replicaofNoOne();

            Load.finishes(queue, "after-", 100, done, Duration.ofSeconds(5));
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void one_broken_connection_takes_the_idle_ones_with_it() {
        HostAndPort node = queues.router().node("any");
        List<Connection> used = IntStream.range(0, 10)
                .mapToObj(i -> queues.router().nodes().borrow(node))
                .toList();
        used.forEach(Connection::close);
        server.kill();
        server.restart();

        assertThatThrownBy(() -> enqueue("a")).isInstanceOf(JedisConnectionException.class);
        for (int i = 0; i < 10; i++) {
            enqueue("b-" + i);
        }
        assertThat(queue.counts().ready()).isEqualTo(10);
    }

    @Test
    void a_call_to_a_server_that_hangs_fails_in_time_also_while_others_give_it_up() {
        Duration timeout = Duration.ofMillis(500);
        try (RedisQueues impatient =
                RedisQueues.connect(RedisServers.single(server.uri()).withTimeouts(timeout, timeout), "p")) {
            server.pause();
            List<CompletableFuture<Long>> callers = IntStream.range(0, 8)
                    .mapToObj(i -> CompletableFuture.supplyAsync(
                            () -> longestOfFour(impatient),
                            CompletableFuture.delayedExecutor(i * 60L, TimeUnit.MILLISECONDS, CALLERS)))
                    .toList();
            assertThat(callers)
                    .allSatisfy(longest -> assertThat(longest.join()).isLessThan(2 * timeout.toMillis() - 100));
        } finally {
            server.resume();
        }
    }

    @Test
    void a_call_on_a_connection_whose_server_hangs_now_costs_one_time_out() {
        Duration timeout = Duration.ofMillis(500);
        try (RedisQueues impatient =
                RedisQueues.connect(RedisServers.single(server.uri()).withTimeouts(timeout, timeout), "p")) {
            assertThat(impatient.queue("q").counts().ready()).isZero();
            server.pause();
            assertThat(longestOfFour(impatient)).isLessThan(2 * timeout.toMillis() - 100);
        } finally {
            server.resume();
        }
    }

    private static long longestOfFour(RedisQueues queues) {
        long longest = 0;
        for (int i = 0; i < 4; i++) {
            long began = System.nanoTime();
            assertThatThrownBy(() -> queues.queue("q").counts()).isInstanceOf(JedisConnectionException.class);
            longest = Math.max(longest, (System.nanoTime() - began) / 1_000_000);
        }
        return longest;
    }

    @Test
    void the_server_of_a_cluster_that_is_taken_for_a_single_one_is_named_as_the_mistake() {
        try (ClusterGroup cluster = new ClusterGroup();
                RedisQueues wrong = RedisQueues.connect(cluster.nodes.get(0).uri(), "p")) {
            assertThatThrownBy(() -> IntStream.range(0, 10)
                            .forEach(i -> wrong.queue("q" + i).counts()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("RedisServers.cluster");
        }
    }

    private void enqueue(String id) {
        queue.enqueue(NewJob.of("work", "{}").withId(id));
    }

    private Set<String> ours() {
        return OURS.matcher(admin.clientList())
                .results()
                .map(client -> client.group(1))
                .collect(Collectors.toSet());
    }
}
