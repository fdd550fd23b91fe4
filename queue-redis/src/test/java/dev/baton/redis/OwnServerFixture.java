package dev.baton.redis;

import dev.baton.servers.RedisProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** A server of its own, which the test may kill, demote or fill, and a queue on it. */
@Timeout(60)
abstract class OwnServerFixture {
    final RedisProcess server = RedisProcess.start("--appendonly", "yes");
    final Jedis admin = SentinelGroup.jedis(server);
    final RedisQueues queues = RedisQueues.connect(server.uri(), "p");
    final RedisJobQueue queue = queues.queue("q");

    @AfterEach
    void close() {
        queues.close();
        admin.close();
        server.close();
    }
}
