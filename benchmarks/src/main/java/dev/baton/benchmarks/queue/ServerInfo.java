package dev.baton.benchmarks.queue;

import java.net.URI;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;

/**
 * What Redis says about itself at one moment.
 *
 * @param calls commands so far, those inside scripts too
 * @param cpuMicros used so far, by all its threads
 * @param usedMemory bytes
 */
record ServerInfo(long calls, double cpuMicros, long usedMemory) {
    private static final Pattern CALLS = Pattern.compile("^cmdstat_[^:]+:calls=(\\d+),", Pattern.MULTILINE);

    static ServerInfo of(URI redis) {
        try (Jedis jedis = new Jedis(redis)) {
            return parse(jedis.info("all"));
        }
    }

    /** Reads the answer to {@code INFO all}. */
    static ServerInfo parse(String info) {
        Map<String, String> fields = info.lines()
                .filter(line -> line.indexOf(':') > 0)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> line.substring(line.indexOf(':') + 1),
                        (first, second) -> first));
        Matcher commands = CALLS.matcher(info);
        long calls = 0;
        while (commands.find()) {
            calls += Long.parseLong(commands.group(1));
        }
        double seconds = number(fields, "used_cpu_user") + number(fields, "used_cpu_sys");
        return new ServerInfo(calls, seconds * 1e6, (long) number(fields, "used_memory"));
    }

    private static double number(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalStateException("INFO shows no " + name);
        }
        return Double.parseDouble(value);
    }
}
