package dev.baton.redis;

import dev.baton.job.MissedRuns;
import dev.baton.job.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the scripts of the schedules are to do, in plain Java, for schedules with an interval. */
final class ModelSchedules {
    private static final long TOLERANCE_MS = 60_000;

    private final ModelQueue queue;
    private final Map<String, Planned> planned = new TreeMap<>();

    ModelSchedules(ModelQueue queue) {
        this.queue = queue;
    }

    /** Answers whether anything changed. */
    boolean upsert(Schedule schedule, long intervalMs) {
        Planned old = planned.get(schedule.id());
        if (old == null || old.intervalMs != intervalMs) {
            long anchor = old == null ? queue.now : Math.max(queue.now, old.lastMs);
            long last = old == null ? 0 : old.lastMs;
            long version = old == null ? 1 : old.version + 1;
            planned.put(schedule.id(), new Planned(schedule, intervalMs, anchor, version, last, anchor + intervalMs));
            return true;
        } else if (old.schedule.equals(schedule)) {
            return false;
        }
        planned.put(
                schedule.id(), new Planned(schedule, intervalMs, old.anchorMs, old.version + 1, old.lastMs, old.dueMs));
        return true;
    }

    boolean remove(String id) {
        return planned.remove(id) != null;
    }

    /** What is due now, the one that was due first in front. */
    List<Occurrence> due() {
        return planned.values().stream()
                .filter(each -> each.dueMs <= queue.now)
                .sorted(Comparator.comparingLong(Planned::dueMs).thenComparing(each -> each.schedule.id()))
                .map(Planned::occurrence)
                .toList();
    }

    /** The ms until the next one that is not due yet; -1 if there is none. */
    long nextMs() {
        return planned.values().stream()
                .mapToLong(each -> each.dueMs - queue.now)
                .filter(ms -> ms > 0)
                .min()
                .orElse(-1);
    }

    /** Answers a word for each; what was read at another time is decided by that time. */
    List<String> fire(List<Occurrence> occurrences, long readAt) {
        List<String> words = new ArrayList<>();
        for (Occurrence occurrence : occurrences) {
            words.add(fire(occurrence, readAt));
        }
        return words;
    }

    private String fire(Occurrence occurrence, long readAt) {
        Planned now = planned.get(occurrence.schedule.id());
        if (now == null || now.dueMs != occurrence.dueMs || now.version != occurrence.version) {
            return "passed";
        }
        boolean missed = occurrence.dueMs < readAt - TOLERANCE_MS;
        boolean runs = !missed || occurrence.schedule.missed() == MissedRuns.ONCE;
        long after = missed ? readAt : occurrence.dueMs;
        long next = now.anchorMs + ((after - now.anchorMs) / now.intervalMs + 1) * now.intervalMs;
        long last = runs ? occurrence.dueMs : now.lastMs;
        planned.put(
                occurrence.schedule.id(),
                new Planned(now.schedule, now.intervalMs, now.anchorMs, now.version, last, next));
        return runs
                ? queue.enqueue(occurrence.schedule.occurrence(Instant.ofEpochMilli(occurrence.dueMs)))
                        .name()
                        .toLowerCase(Locale.ROOT)
                : "skipped";
    }

    /** In a form that can be compared and printed. */
    List<String> state() {
        return planned.values().stream()
                .map(each -> each.schedule.id() + " next " + each.dueMs + " every " + each.intervalMs + " "
                        + each.schedule.missed() + " anchor " + each.anchorMs + " version " + each.version + " last "
                        + (each.lastMs == 0 ? null : each.lastMs))
                .toList();
    }

    /** A schedule that has to run, as it was read. */
    record Occurrence(Schedule schedule, long dueMs, long version) {}

    private record Planned(Schedule schedule, long intervalMs, long anchorMs, long version, long lastMs, long dueMs) {
        Occurrence occurrence() {
            return new Occurrence(schedule, dueMs, version);
        }
    }
}
