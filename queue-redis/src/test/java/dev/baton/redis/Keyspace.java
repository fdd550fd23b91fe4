package dev.baton.redis;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import redis.clients.jedis.UnifiedJedis;

/** All keys of a queue with all that they hold, as texts that can be compared. */
final class Keyspace {
    private Keyspace() {}

    /** By what follows the tag of the queue. */
    static Map<String, String> of(QueueFixture fixture) {
        String tag = fixture.queue.keys().tag();
        UnifiedJedis redis = fixture.queues.redis();
        return redis.keys(tag.replace("{", "\\{").replace("}", "\\}") + "*").stream()
                .collect(Collectors.toMap(
                        key -> key.substring(tag.length()), key -> content(redis, key), (a, b) -> a, TreeMap::new));
    }

    private static String content(UnifiedJedis redis, String key) {
        return switch (redis.type(key)) {
            case "string" -> redis.get(key);
            case "list" -> redis.lrange(key, 0, -1).toString();
            case "zset" ->
                redis.zrangeWithScores(key, 0, -1).stream()
                        .map(member -> member.getElement() + "=" + (long) member.getScore())
                        .toList()
                        .toString();
            case "hash" -> new TreeMap<>(redis.hgetAll(key)).toString();
            default -> throw new AssertionError(key + " has a type that no script uses");
        };
    }
}
