package dev.baton.redis;

import dev.baton.internal.Bounds;
import dev.baton.job.Schedule;
import dev.baton.job.ScheduleView;
import dev.baton.job.Schedules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The schedules of one queue in Redis. Every call to Redis is bounded. */
final class RedisSchedules implements Schedules {
    private static final int LARGEST_PAGE = 200;

    private final RedisJobQueue queue;
    private final RedisQueues queues;
    private final Keys keys;

    RedisSchedules(RedisJobQueue queue) {
        this.queue = queue;
        this.queues = queue.queues();
        this.keys = queue.keys();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Redis is asked for the time first, and what was computed from it is refused if it has passed meanwhile. So this
     * takes one call if nothing changes, and two or three otherwise.
     *
     * @throws IllegalArgumentException if the payload is larger than 256 KB or holds half a surrogate pair
     * @throws redis.clients.jedis.exceptions.JedisException if Redis cannot be reached; calling again is safe
     */
    @Override
    public boolean upsert(Schedule schedule) {
        queue.check(schedule.job());
        List<?> answer = upsert(schedule, "", "");
        while (answer.get(0).equals("late")) {
            Instant now = Instant.ofEpochMilli((Long) answer.get(1));
            Instant next = schedule.timing().next(now, now);
            answer = upsert(schedule, Long.toString(next.toEpochMilli()), Long.toString(now.toEpochMilli()));
        }
        return !answer.get(0).equals("same");
    }

    @Override
    public boolean remove(String id) {
        return "done".equals(call(Script.UNSCHEDULE, id));
    }

    @Override
    public Optional<ScheduleView> find(String id) {
        List<?> answer = (List<?>) call(Script.PLANNED, id);
        return answer.isEmpty()
                ? Optional.empty()
                : Optional.of(ScheduleRecord.of(answer).view());
    }

    @Override
    public List<ScheduleView> list(int offset, int limit) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset is " + offset + "; it must not be negative");
        }
        Bounds.between("limit", limit, 1, LARGEST_PAGE);
        List<?> answer = (List<?>) call(Script.AGENDA, Integer.toString(offset), Integer.toString(limit));
        return answer.stream()
                .map(stored -> ScheduleRecord.of((List<?>) stored).view())
                .toList();
    }

    /** Removes all of them; many calls to Redis. */
    void clear() {
        List<ScheduleView> page = list(0, LARGEST_PAGE);
        while (!page.isEmpty()) {
            page.forEach(schedule -> remove(schedule.id()));
            page = list(0, LARGEST_PAGE);
        }
    }

    Due due(int offset, int limit) {
        List<?> answer = (List<?>) call(Script.DUE, Integer.toString(offset), Integer.toString(limit));
        return new Due(
                Instant.ofEpochMilli((Long) answer.get(0)),
                (Long) answer.get(1),
                answer.stream()
                        .skip(2)
                        .map(stored -> ScheduleRecord.of((List<?>) stored))
                        .toList());
    }

    /** Answers a word per turn, as {@code fire.lua} says. */
    List<String> fire(List<Turn> turns) {
        List<String> arguments = new ArrayList<>(List.of(queues.now(), keys.tag()));
        turns.forEach(turn -> arguments.addAll(turn.words()));
        List<?> words = (List<?>) Script.FIRE.call(queues.redis(), keys.fire(), arguments);
        return words.stream().map(String.class::cast).toList();
    }

    /**
     * What is due.
     *
     * @param now by the server's clock
     * @param nextMs when the next one is due that is not due yet, in ms from now; -1 if there is none
     */
    record Due(Instant now, long nextMs, List<ScheduleRecord> schedules) {}

    private List<?> upsert(Schedule schedule, String next, String anchor) {
        List<String> words = new ArrayList<>(List.of(schedule.id(), next, anchor));
        words.addAll(ScheduleRecord.words(schedule));
        return (List<?>) call(Script.UPSERT, words.toArray(String[]::new));
    }

    private Object call(Script script, String... more) {
        List<String> arguments = new ArrayList<>(List.of(queues.now(), keys.tag()));
        arguments.addAll(List.of(more));
        return script.call(queues.redis(), List.of(keys.schedules()), arguments);
    }
}
