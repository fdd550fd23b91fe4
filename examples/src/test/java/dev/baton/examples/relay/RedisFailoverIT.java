package dev.baton.examples.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.job.JobState;
import dev.baton.outbox.Event;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisQueues;
import dev.baton.redis.RedisServers;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** A Sentinel promotes a replica that lacks the last writes, among them the relay's own memory of its last batches (O6). */
@Timeout(120)
class RedisFailoverIT {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final int SOME = 400;
    private static final int NOBODY = 1;
    private static final int PAGE = 200;

    private final HikariDataSource pool = new HikariDataSource();
    private final Jdbi jdbi = Jdbi.create(pool);
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter();
    private final RedisProcess master = RedisProcess.start();
    private final RedisProcess replica =
            RedisProcess.start("--replicaof", "127.0.0.1", Integer.toString(master.port()));
    private final Path file = Files.createTempFile("baton-sentinel-", ".conf");
    private final RedisProcess sentinel;
    private final RedisQueues queues;
    private final RedisJobQueue queue;

    RedisFailoverIT() throws IOException {
        Files.write(
                file,
                List.of(
                        "sentinel monitor shop 127.0.0.1 " + master.port() + " 1",
                        "sentinel down-after-milliseconds shop 1000"));
        sentinel = RedisProcess.start(file.toString(), "--sentinel");
        queues = RedisQueues.connect(RedisServers.sentinel("shop", Set.of(sentinel.uri())), Redis.freshPrefix());
        queue = queues.queue("loyalty");
        pool.setDataSource(Postgres.dataSource(Postgres.freshSchema()));
        OutboxSchema.migrate(jdbi);
    }

    @AfterEach
    void close() throws IOException {
        queues.close();
        List.of(sentinel, replica, master).forEach(RedisProcess::close);
        pool.close();
        Files.deleteIfExists(file);
    }

    @Test
    void what_the_promoted_replica_lacks_is_handed_over_again_and_what_it_has_is_not() {
        Routes routes = Routes.builder().route("placed", queue, "award").build();
        try (Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), routes).start();
                Jedis ofReplica = new Jedis(replica.uri());
                Jedis ofMaster = new Jedis(master.uri())) {
            await().until(() -> sees(sentinel, replica));
            publish(relay, SOME);
            assertThat(ofMaster.waitReplicas(1, 5_000)).isEqualTo(1);
            ofReplica.replicaof("127.0.0.1", NOBODY);
            publish(relay, SOME);
            assertThat(ofReplica.dbSize()).isPositive().isLessThan(ofMaster.dbSize());

            master.kill();
            // The Sentinel cuts all connections when it promotes a server.
            await("promoted").atMost(BOUND).ignoreExceptions().until(() -> isMaster(replica));
            await("handed over again")
                    .atMost(BOUND)
                    .ignoreExceptions()
                    .until(() -> queue.counts().pending() == 2 * SOME);
            publish(relay, 1);
            assertThat(relay.status().healed()).isEqualTo(SOME);
            assertThat(waiting()).hasSize(2 * SOME + 1).doesNotHaveDuplicates();
        }
    }

    private void publish(Relay relay, int events) {
        long before = relay.status().published();
        for (int i = 0; i < events; i++) {
            String customer = "customer-" + i;
            jdbi.useTransaction(tx -> writer.write(tx, Event.of("placed", customer, "{}")));
        }
        relay.nudge();
        await().atMost(BOUND).until(() -> relay.status().published() == before + events);
    }

    private List<String> waiting() {
        List<String> ids = new ArrayList<>();
        for (int before = -1; before < ids.size(); ) {
            before = ids.size();
            queue.admin().list(JobState.READY, before, PAGE).forEach(job -> ids.add(job.id()));
        }
        return ids;
    }

    private static boolean isMaster(RedisProcess server) {
        try (Jedis jedis = new Jedis(server.uri())) {
            return jedis.role().get(0).equals("master");
        }
    }

    private static boolean sees(RedisProcess sentinel, RedisProcess replica) {
        try (Jedis jedis = new Jedis(sentinel.uri())) {
            return jedis.sentinelReplicas("shop").stream()
                    .anyMatch(one -> one.get("port").equals(Integer.toString(replica.port()))
                            && "ok".equals(one.get("master-link-status")));
        }
    }
}
