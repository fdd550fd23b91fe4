package dev.baton.redis;

import static org.awaitility.Awaitility.await;

import dev.baton.servers.RedisProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;

/** Two servers, one of them the replica of the other, and three Sentinels that watch over them. */
final class SentinelGroup implements AutoCloseable {
    static final String NAME = "shop";

    final List<RedisProcess> servers = new ArrayList<>();
    private final List<RedisProcess> sentinels = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();

    SentinelGroup() throws IOException {
        RedisProcess master = RedisProcess.start();
        servers.add(master);
        servers.add(RedisProcess.start("--replicaof", "127.0.0.1", Integer.toString(master.port())));
        for (int i = 0; i < 3; i++) {
            Path file = Files.createTempFile("baton-sentinel-", ".conf");
            files.add(file);
            Files.write(
                    file,
                    List.of(
                            "sentinel monitor " + NAME + " 127.0.0.1 " + master.port() + " 2",
                            "sentinel down-after-milliseconds " + NAME + " 1000",
                            "sentinel failover-timeout " + NAME + " 5000"));
            sentinels.add(RedisProcess.start(file.toString(), "--sentinel"));
        }
        awaitComplete();
    }

    RedisServers address() {
        return RedisServers.sentinel(
                NAME, sentinels.stream().map(RedisProcess::uri).collect(Collectors.toSet()));
    }

    RedisProcess master() {
        try (Jedis sentinel = jedis(sentinels.get(0))) {
            String port = sentinel.sentinelGetMasterAddrByName(NAME).get(1);
            return servers.stream()
                    .filter(server -> server.port() == Integer.parseInt(port))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** All Sentinels know each other and a replica that follows the master. */
    void awaitComplete() {
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            for (RedisProcess sentinel : sentinels) {
                try (Jedis jedis = jedis(sentinel)) {
                    var seen = jedis.sentinelMaster(NAME);
                    var replica = jedis.sentinelReplicas(NAME).get(0);
                    if (!"2".equals(seen.get("num-other-sentinels"))
                            || !"slave".equals(replica.get("flags"))
                            || !"ok".equals(replica.get("master-link-status"))) {
                        return false;
                    }
                }
            }
            return true;
        });
    }

    /** Whatever was written before is on the replica afterwards. */
    void awaitReplicated() {
        try (Jedis master = jedis(master())) {
            master.set("replicated", "up to here");
            if (master.waitReplicas(1, 5_000) < 1) {
                throw new AssertionError("the replica does not follow");
            }
        }
    }

    void orderFailover() {
        try (Jedis sentinel = jedis(sentinels.get(0))) {
            sentinel.sentinelFailover(NAME);
        }
    }

    /** Until the Sentinels name another master and that one agrees. */
    void awaitPromotion(RedisProcess old) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    RedisProcess master = master();
                    return master != old && role(master).equals("master");
                });
    }

    /** Until every Sentinel has heard of the failover: until then one may still name the old master. */
    void awaitAgreement() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> sentinels.stream()
                                .map(sentinel -> {
                                    try (Jedis jedis = jedis(sentinel)) {
                                        return jedis.sentinelGetMasterAddrByName(NAME);
                                    }
                                })
                                .distinct()
                                .count()
                        == 1);
    }

    static String role(RedisProcess server) {
        try (Jedis jedis = jedis(server)) {
            return (String) jedis.role().get(0);
        }
    }

    static Jedis jedis(RedisProcess server) {
        URI uri = server.uri();
        return new Jedis(uri.getHost(), uri.getPort());
    }

    @Override
    public void close() throws IOException {
        sentinels.forEach(RedisProcess::close);
        servers.forEach(RedisProcess::close);
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
