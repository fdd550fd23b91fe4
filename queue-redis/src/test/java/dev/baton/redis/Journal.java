package dev.baton.redis;

import dev.baton.job.Job;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import redis.clients.jedis.UnifiedJedis;

/**
 * What happened to the jobs of a queue, written down in Redis by all worker processes in the order in which it happened,
 * with the time of Redis. What a process wrote before it was killed stands before what the test writes after its end.
 */
final class Journal {
    private static final String APPEND =
            "local time = redis.call('TIME') return redis.call('RPUSH', KEYS[1], ARGV[1] .. ' ' .."
                    + " string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000)))";

    private final UnifiedJedis redis;
    private final String entries;
    private final String go;

    Journal(RedisQueues queues, RedisJobQueue queue) {
        this.redis = queues.redis();
        // Names of sessions, as nothing else of a queue is named freely.
        this.entries = queue.keys().session("journal");
        this.go = queue.keys().session("go");
    }

    void write(String what, String process, Job job, long handedOut) {
        append(what, process, job.id(), job.start(), job.attempt(), handedOut);
    }

    /** What happened to a process, or to a job of which only the id is known. */
    void write(String what, String process, String id) {
        append(what, process, id, 0, 0, 0);
    }

    private void append(String what, String process, String id, int start, int attempt, long handedOut) {
        String line = String.join(
                " ", what, process, id, Integer.toString(start), Integer.toString(attempt), Long.toString(handedOut));
        redis.eval(APPEND, List.of(entries), List.of(line));
    }

    List<Entry> entries() {
        AtomicInteger place = new AtomicInteger();
        return redis.lrange(entries, 0, -1).stream()
                .map(line -> Entry.parse(place.getAndIncrement(), line))
                .toList();
    }

    List<Entry> entries(String what) {
        return entries().stream().filter(entry -> entry.what().equals(what)).toList();
    }

    List<Entry> entries(String what, String process) {
        return entries(what).stream()
                .filter(entry -> entry.process().equals(process))
                .toList();
    }

    /** Ends what is held, and cures what halts. */
    void go() {
        redis.set(go, "1");
    }

    boolean mayGo() {
        return redis.exists(go);
    }

    /**
     * One line of it.
     *
     * @param place in the journal, from 0
     * @param start of the job, and {@code attempt}; 0 if the entry is not of a handler
     * @param handedOut when the queue handed the job out, in ms by the clock of Redis
     * @param at when the line was written, in ms by the same clock
     */
    record Entry(int place, String what, String process, String job, int start, int attempt, long handedOut, long at) {
        private static Entry parse(int place, String line) {
            String[] words = line.split(" ", -1);
            return new Entry(
                    place,
                    words[0],
                    words[1],
                    words[2],
                    Integer.parseInt(words[3]),
                    Integer.parseInt(words[4]),
                    Long.parseLong(words[5]),
                    Long.parseLong(words[6]));
        }
    }
}
