package dev.baton.redis;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import redis.clients.jedis.UnifiedJedis;

/** All keys of a queue with all that they hold, as texts that can be compared. */
final class Keyspace {
    private static final String SESSION = ":session:";

    /** In ms, within some years of the fixture's clock. */
    private static final Pattern TIME = Pattern.compile("\\b18\\d{11}\\b");

    private Keyspace() {}

    /** By what follows the tag of the queue. */
    static Map<String, String> of(QueueFixture fixture) {
        String tag = fixture.queue.keys().tag();
        UnifiedJedis redis = fixture.queues.redis();
        return redis.keys(tag.replace("{", "\\{").replace("}", "\\}") + "*").stream()
                .collect(Collectors.toMap(
                        key -> key.substring(tag.length()), key -> content(redis, key), (a, b) -> a, TreeMap::new));
    }

    /**
     * The same for people to read and to write down: times count from {@code T}, where the fixture's clock begins; the
     * session of the one worker is {@code w}; a tab is {@code |}, a line feed {@code /}, and what expires ends with
     * {@code expires}.
     */
    static Map<String, String> readable(QueueFixture fixture) {
        String tag = fixture.queue.keys().tag();
        Map<String, String> readable = new TreeMap<>();
        of(fixture).forEach((key, content) -> {
            boolean expires = fixture.queues.redis().pttl(tag + key) > 0;
            readable.put(readable(key), readable(content) + (expires ? " expires" : ""));
        });
        // A session's name is in its key, and in the tokens of the leases.
        of(fixture).keySet().stream()
                .filter(key -> key.startsWith(SESSION))
                .map(key -> key.substring(SESSION.length()))
                .forEach(session -> rename(readable, session));
        return readable;
    }

    private static void rename(Map<String, String> readable, String session) {
        Map<String, String> before = new TreeMap<>(readable);
        readable.clear();
        before.forEach((key, content) -> {
            if (readable.put(key.replace(session, "w"), content.replace(session, "w")) != null) {
                throw new AssertionError("two workers cannot both be w");
            }
        });
    }

    private static String readable(String text) {
        return TIME.matcher(text)
                .replaceAll(time -> {
                    long since = Long.parseLong(time.group()) - QueueFixture.START;
                    return since == 0 ? "T" : "T+" + since;
                })
                .replace('\t', '|')
                .replace('\n', '/');
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
