package dev.baton.redis;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Where each job of the {@link ModelQueue} is, and how it gets from one place into another. */
class ModelPlaces {
    final Map<String, ModelJob> jobs = new TreeMap<>();
    /** Ids of removed jobs stay here until their turn comes. */
    final Deque<String> ready = new ArrayDeque<>();

    final Set<String> ghosts = new HashSet<>();
    final Map<String, Long> urgent = new HashMap<>();
    final Map<String, Long> delayed = new HashMap<>();
    final Map<String, Long> blocked = new HashMap<>();
    final Map<String, Long> leased = new HashMap<>();
    final Map<String, Long> dead = new HashMap<>();
    final Map<String, Long> completed = new HashMap<>();
    final Map<String, Deque<String>> keys = new TreeMap<>();
    final Map<String, String> uniques = new TreeMap<>();

    boolean pass;
    long now;

    ModelPlaces(long now) {
        this.now = now;
    }

    String stateOf(String id) {
        if (!jobs.containsKey(id)) {
            return "";
        }
        Map<String, Map<String, Long>> sorted =
                Map.of("DELAYED", delayed, "BLOCKED", blocked, "DEAD", dead, "COMPLETED", completed);
        return sorted.entrySet().stream()
                .filter(place -> place.getValue().containsKey(id))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(() ->
                        leased.keySet().stream().anyMatch(member -> member.startsWith(id + "#")) ? "LEASED" : "READY");
    }

    static List<String> inOrder(Map<String, Long> scored) {
        return scored.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    void waitUntil(ModelJob job, long due) {
        if (pass) {
            passOn(job);
        }
        delayed.put(job.id, due);
    }

    void end(ModelJob job) {
        passOn(job);
        uniques.remove(job.unique);
    }

    void passOn(ModelJob job) {
        Deque<String> line = keys.get(job.key);
        if (line == null) {
            return;
        }
        boolean head = job.id.equals(line.peekFirst());
        line.remove(job.id);
        if (line.isEmpty()) {
            keys.remove(job.key);
        } else if (head) {
            ModelJob next = job(line.getFirst());
            blocked.remove(next.id);
            toBack(next);
        }
    }

    void join(ModelJob job) {
        if (job.key.isEmpty()) {
            toBack(job);
            return;
        }
        Deque<String> line = keys.computeIfAbsent(job.key, key -> new ArrayDeque<>());
        line.addLast(job.id);
        if (line.size() == 1) {
            toBack(job);
        } else {
            blocked.put(job.id, now);
        }
    }

    void toBack(ModelJob job) {
        if (job.priority > 0) {
            urgent.put(job.id, now - job.priority * 60_000L);
        } else {
            ready.addLast(job.id);
        }
    }

    void pop(List<String> taken, int n) {
        for (int i = 0; i < n && !ready.isEmpty(); i++) {
            taken.add(ready.removeFirst());
        }
    }

    static List<String> first(Map<String, Long> place, int most) {
        return inOrder(place).stream().limit(most).toList();
    }

    ModelJob job(String id) {
        return requireNonNull(jobs.get(id), id);
    }

    static long time(Map<String, Long> scored, String id) {
        return requireNonNull(scored.get(id), id);
    }

    /** Everything, in a form that can be compared and printed. */
    Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put(
                "jobs",
                jobs.values().stream().map(job -> job.id + " " + job.head()).toList());
        state.put("ready", List.copyOf(ready));
        state.put("urgent", scores(urgent));
        state.put("delayed", scores(delayed));
        state.put("blocked", scores(blocked));
        state.put("leased", scores(leased));
        state.put("dead", scores(dead));
        state.put("completed", scores(completed));
        state.put(
                "keys",
                keys.entrySet().stream()
                        .map(e -> e.getKey() + "=" + List.copyOf(e.getValue()))
                        .toList());
        state.put("uniques", uniques.toString());
        return state;
    }

    private static List<String> scores(Map<String, Long> scored) {
        return inOrder(scored).stream().map(id -> id + "@" + scored.get(id)).toList();
    }
}
