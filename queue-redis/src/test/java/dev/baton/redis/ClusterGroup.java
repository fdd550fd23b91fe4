package dev.baton.redis;

import static org.awaitility.Awaitility.await;

import dev.baton.servers.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.params.MigrateParams;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A cluster of three masters without replicas, which keep what they acknowledged. Other modules test with it too. */
public final class ClusterGroup implements AutoCloseable {
    final List<RedisProcess> nodes = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();

    /** Starts it. */
    public ClusterGroup() {
        int share = Protocol.CLUSTER_HASHSLOTS / 3 + 1;
        for (int i = 0; i < 3; i++) {
            RedisProcess node = RedisProcess.start(
                    "--cluster-enabled",
                    "yes",
                    "--cluster-node-timeout",
                    "1000",
                    "--appendonly",
                    "yes",
                    "--appendfsync",
                    "always");
            nodes.add(node);
            try (Jedis jedis = SentinelGroup.jedis(node)) {
                int from = i * share;
                jedis.clusterAddSlots(IntStream.range(from, Math.min(from + share, Protocol.CLUSTER_HASHSLOTS))
                        .toArray());
                jedis.clusterMeet("127.0.0.1", nodes.get(0).port());
                ids.add(jedis.clusterMyId());
            }
        }
        awaitOk();
    }

    /** Two of the nodes; the third is to be found. */
    public RedisServers address() {
        return RedisServers.cluster(
                nodes.stream().limit(2).map(RedisProcess::uri).collect(Collectors.toSet()));
    }

    /** Every node says that the whole cluster works. */
    public void awaitOk() {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(() -> nodes.stream().allMatch(node -> {
                    try (Jedis jedis = SentinelGroup.jedis(node)) {
                        String info = jedis.clusterInfo();
                        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3");
                    }
                }));
    }

    /** The node that a queue is on. */
    public RedisProcess owner(RedisJobQueue queue) {
        int slot = slot(queue);
        try (Jedis jedis = SentinelGroup.jedis(nodes.get(0))) {
            for (Object range :
                    (List<?>) BuilderFactory.ENCODED_OBJECT.build(jedis.sendCommand(Command.CLUSTER, "SLOTS"))) {
                List<?> parts = (List<?>) range;
                if ((Long) parts.get(0) <= slot && slot <= (Long) parts.get(1)) {
                    long port = (Long) ((List<?>) parts.get(2)).get(1);
                    return nodes.stream()
                            .filter(node -> node.port() == port)
                            .findFirst()
                            .orElseThrow();
                }
            }
        }
        throw new AssertionError("nobody owns slot " + slot);
    }

    /** Moves a queue to the next node, key by key, as an operator does, while it is in use. */
    public void move(RedisJobQueue queue) {
        try (Move move = beginToMove(queue)) {
            move.keys(key -> true);
        }
    }

    /** The same in steps; to be closed, with which the next node owns the queue. */
    Move beginToMove(RedisJobQueue queue) {
        return new Move(nodes.indexOf(owner(queue)), slot(queue));
    }

    /** A slot on its way: each key is on one of two nodes. */
    final class Move implements AutoCloseable {
        private final int from;
        private final int to;
        private final int slot;

        private Move(int from, int slot) {
            this.from = from;
            this.to = (from + 1) % nodes.size();
            this.slot = slot;
            try (Jedis source = source();
                    Jedis target = target()) {
                target.clusterSetSlotImporting(slot, ids.get(from));
                source.clusterSetSlotMigrating(slot, ids.get(to));
            }
        }

        /** Moves those that are wanted, also those that come meanwhile. */
        void keys(Predicate<String> wanted) {
            try (Jedis source = source()) {
                for (List<String> keys = keys(source, wanted); !keys.isEmpty(); keys = keys(source, wanted)) {
                    source.migrate(
                            "127.0.0.1",
                            nodes.get(to).port(),
                            5_000,
                            MigrateParams.migrateParams(),
                            keys.toArray(String[]::new));
                }
            }
        }

        private List<String> keys(Jedis source, Predicate<String> wanted) {
            return source.clusterGetKeysInSlot(slot, 1_000).stream()
                    .filter(wanted)
                    .limit(100)
                    .toList();
        }

        private Jedis source() {
            return SentinelGroup.jedis(nodes.get(from));
        }

        private Jedis target() {
            return SentinelGroup.jedis(nodes.get(to));
        }

        @Override
        public void close() {
            try (Jedis source = source();
                    Jedis target = target()) {
                target.clusterSetSlotNode(slot, ids.get(to));
                source.clusterSetSlotNode(slot, ids.get(to));
            }
        }
    }

    /** One queue on each node. */
    public List<RedisJobQueue> onePerNode(RedisQueues queues) {
        List<RedisJobQueue> found = new ArrayList<>();
        Set<RedisProcess> owners = new HashSet<>();
        for (int i = 0; found.size() < nodes.size(); i++) {
            RedisJobQueue queue = queues.queue("q" + i);
            if (owners.add(owner(queue))) {
                found.add(queue);
            }
        }
        return found;
    }

    private static int slot(RedisJobQueue queue) {
        return JedisClusterCRC16.getSlot(queue.keys().ready());
    }

    @Override
    public void close() {
        nodes.forEach(RedisProcess::close);
    }
}
