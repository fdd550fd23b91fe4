package dev.baton.redis;

import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A schedule whose time has come, and what is to be done about it.
 *
 * @param due the occurrence
 * @param version of the schedule that was read
 * @param runs false if the occurrence was missed and is dropped
 * @param next the occurrence after it
 */
record Turn(Schedule schedule, Instant due, String version, boolean runs, Instant next) {

    /**
     * Works out what is to be done at that moment.
     *
     * @throws IllegalArgumentException if this version cannot read the schedule
     */
    static Turn of(ScheduleRecord stored, Instant now) {
        Schedule schedule = stored.schedule();
        Instant due = Instant.ofEpochMilli(stored.due());
        Instant next = schedule.next(due, now, stored.anchor());
        return new Turn(schedule, due, stored.version(), schedule.runs(due, now), next);
    }

    /** As {@code fire.lua} takes them. */
    List<String> words() {
        NewJob job = schedule.occurrence(due);
        List<String> words = new ArrayList<>(List.of(
                schedule.id(),
                Long.toString(due.toEpochMilli()),
                version,
                Long.toString(next.toEpochMilli()),
                runs ? "run" : "skip"));
        RedisJobQueue.addTo(words, job);
        return words;
    }
}
