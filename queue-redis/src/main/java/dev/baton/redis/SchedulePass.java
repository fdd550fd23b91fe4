package dev.baton.redis;

import dev.baton.internal.Pass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fires the schedules that are due. Every worker does so, for all schedules of its queue: whoever comes first enqueues the
 * job and moves the next run, in one step, and the others find nothing. If the process dies before that step, another one
 * does it; if the answer is lost, the step is done all the same.
 */
final class SchedulePass implements Pass {
    private static final Logger log = LoggerFactory.getLogger(SchedulePass.class);

    /** Schedules per script: each may carry a large payload. */
    static final int PAGE = 50;

    /** Somebody else may add a schedule that is due sooner than the next one, or the first one. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(2);

    private final RedisSchedules schedules;
    private final Set<String> unreadable = new HashSet<>();
    private int offset;

    SchedulePass(RedisSchedules schedules) {
        this.schedules = schedules;
    }

    /**
     * One page of what is due. A schedule that cannot be read stays as it is, for an instance that can; it is passed over,
     * so that those behind it have their turn.
     */
    @Override
    public Duration run() {
        RedisSchedules.Due due = schedules.due(offset, PAGE);
        List<Turn> turns = turns(due);
        if (!turns.isEmpty()) {
            tell(turns, schedules.fire(turns));
        }
        boolean full = due.schedules().size() == PAGE;
        offset = full ? offset + PAGE - turns.size() : 0;
        return full || !turns.isEmpty() ? Duration.ZERO : rest(due);
    }

    private List<Turn> turns(RedisSchedules.Due due) {
        List<Turn> turns = new ArrayList<>();
        for (ScheduleRecord stored : due.schedules()) {
            try {
                turns.add(Turn.of(stored, due.now()));
            } catch (RuntimeException e) {
                if (unreadable.add(stored.id())) {
                    log.error("schedule {} is due but cannot be fired here: {}", stored.id(), e.getMessage());
                }
            }
        }
        return turns;
    }

    private static void tell(List<Turn> turns, List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            Turn turn = turns.get(i);
            String id = turn.schedule().id();
            switch (words.get(i)) {
                case "skipped" -> log.warn("schedule {} was missed since {}; next at {}", id, turn.due(), turn.next());
                case "duplicate" ->
                    log.info("schedule {} has no new job for {}: an earlier one is alive", id, turn.due());
                default -> log.debug("schedule {} for {}: {}", id, turn.due(), words.get(i));
            }
        }
    }

    private static Duration rest(RedisSchedules.Due due) {
        Duration next = Duration.ofMillis(due.nextMs());
        return next.isNegative() || next.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : next;
    }
}
