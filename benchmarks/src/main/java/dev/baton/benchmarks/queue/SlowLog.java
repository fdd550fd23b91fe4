package dev.baton.benchmarks.queue;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.Slowlog;

/**
 * The slowest scripts of a server and how many keys they had, which tells which they are. Its clock goes on while the machine
 * stalls; that single commands, which take microseconds, are in it too shows when it did.
 */
final class SlowLog {
    /** For the command line of the server: a quarter of a full script, in microseconds, and room for all. */
    static final String[] ARGUMENTS = {"--slowlog-log-slower-than", "500", "--slowlog-max-len", "10000"};

    private static final int MOST = 10_000;
    private static final int BOUND_MICROS = 5_000;
    private static final int SHOWN = 6;

    private SlowLog() {}

    /** Those since it was {@link Jedis#slowlogReset() reset}. */
    static String report(Jedis jedis) {
        List<Slowlog> entries = jedis.slowlogGet(MOST).stream()
                .sorted(Comparator.comparingLong(Slowlog::getExecutionTime).reversed())
                .toList();
        Predicate<Slowlog> script = SlowLog::isScript;
        List<Slowlog> scripts = entries.stream().filter(script).toList();
        List<Slowlog> commands = entries.stream().filter(script.negate()).toList();
        return slow(scripts) + " over 5 ms; the slowest: "
                + shown(scripts, entry -> entry.getArgs().get(2) + " keys")
                + "; single commands over 5 ms: " + slow(commands)
                + "; the slowest: "
                + shown(commands, entry -> entry.getArgs().get(0));
    }

    private static long slow(List<Slowlog> entries) {
        return entries.stream()
                .filter(entry -> entry.getExecutionTime() > BOUND_MICROS)
                .count();
    }

    private static String shown(List<Slowlog> entries, Function<Slowlog, String> what) {
        return entries.stream()
                .limit(SHOWN)
                .map(entry ->
                        String.format(Locale.ROOT, "%.2f ms (%s)", entry.getExecutionTime() / 1e3, what.apply(entry)))
                .collect(Collectors.joining(", "));
    }

    private static boolean isScript(Slowlog entry) {
        String command = entry.getArgs().get(0);
        return command.equalsIgnoreCase("EVALSHA") || command.equalsIgnoreCase("EVAL");
    }
}
