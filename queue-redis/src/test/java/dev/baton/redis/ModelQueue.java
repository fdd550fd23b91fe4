package dev.baton.redis;

import static java.util.Objects.requireNonNull;

import dev.baton.job.EnqueueAnswer;
import dev.baton.job.NewJob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the Lua scripts are to do, in plain Java and without a thought for speed. */
final class ModelQueue {
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
    /** That were given away while urgent jobs waited. */
    private long places;

    final ModelGate gate = new ModelGate();
    boolean pass;
    int keep = -1;
    long keepMs;
    long now;

    private final long lease;
    private final Map<String, Answered> sessions = new HashMap<>();

    ModelQueue(long now, long lease) {
        this.now = now;
        this.lease = lease;
    }

    List<EnqueueAnswer> enqueue(List<NewJob> wishes) {
        return wishes.stream().map(this::enqueue).toList();
    }

    EnqueueAnswer enqueue(NewJob wish) {
        ModelJob job = new ModelJob(wish, now);
        boolean alive = jobs.containsKey(job.id) && completed.get(job.id) == null;
        if (alive || (!job.unique.isEmpty() && uniques.containsKey(job.unique))) {
            return EnqueueAnswer.DUPLICATE;
        }
        completed.remove(job.id);
        if (ghosts.remove(job.id)) {
            ready.remove(job.id);
        }
        jobs.put(job.id, job);
        if (!job.unique.isEmpty()) {
            uniques.put(job.unique, job.id);
        }
        long due = ModelJob.dueOf(wish, now);
        if (due > now) {
            delayed.put(job.id, due);
        } else {
            join(job);
        }
        return EnqueueAnswer.ACCEPTED;
    }

    /** Answers ms until the next thing is due, the verdicts, and the ids taken. */
    Answer exchange(
            String session,
            long number,
            String token,
            List<Settlement> settlements,
            boolean reclaims,
            int free,
            int ahead) {
        Answered last = sessions.get(session);
        if (last != null && number < last.number) {
            return new Answer(-1, Collections.nCopies(settlements.size(), false), List.of());
        } else if (last != null && number == last.number) {
            List<String> still = last.answer.taken.stream()
                    .filter(id -> leased.containsKey(id + "#" + token))
                    .toList();
            return new Answer(0, last.answer.held, still);
        }
        List<Boolean> held = settle(settlements);
        if (reclaims) {
            reclaim();
        }
        promote();
        retain();
        int wanted = gate.counts() ? free : free + ahead;
        int open = gate.open(wanted + 1, leased.size(), now);
        List<String> taken = take(Math.min(wanted, open), token);
        Answer answer = new Answer(nextDue(token, reclaims), held, taken);
        sessions.put(session, new Answered(number, answer));
        return answer;
    }

    /** Answers the state that the job was in, or an empty text. */
    String remove(String id) {
        String state = stateOf(id);
        if (state.isEmpty() || state.equals("LEASED")) {
            return state;
        }
        ModelJob job = job(id);
        jobs.remove(id);
        if (state.equals("READY") && urgent.remove(id) == null) {
            ghosts.add(id);
        }
        delayed.remove(id);
        blocked.remove(id);
        if (dead.remove(id) == null && completed.remove(id) == null) {
            end(job);
        }
        return state;
    }

    /** Answers how many places were emptied. */
    int drain(String state, int most) {
        List<String> ids = new ArrayList<>();
        switch (state) {
            case "READY" -> {
                pop(ids, most);
                first(urgent, most - ids.size()).forEach(id -> {
                    urgent.remove(id);
                    ids.add(id);
                });
            }
            case "LEASED" ->
                first(leased, most).forEach(member -> {
                    leased.remove(member);
                    ids.add(member.substring(0, member.lastIndexOf('#')));
                });
            case "DELAYED" -> ids.addAll(first(delayed, most));
            case "BLOCKED" -> ids.addAll(first(blocked, most));
            case "DEAD" -> ids.addAll(first(dead, most));
            default -> ids.addAll(first(completed, most));
        }
        for (String id : ids) {
            if (!ghosts.remove(id)) {
                ModelJob job = job(id);
                jobs.remove(id);
                delayed.remove(id);
                blocked.remove(id);
                if (dead.remove(id) == null && completed.remove(id) == null) {
                    end(job);
                }
            }
        }
        return ids.size();
    }

    private static List<String> first(Map<String, Long> place, int most) {
        return inOrder(place).stream().limit(most).toList();
    }

    boolean runNow(String id) {
        return stateOf(id).equals("DELAYED") && delayed.put(id, now) != null;
    }

    boolean retry(String id) {
        if (!dead.containsKey(id)) {
            return false;
        }
        String unique = job(id).unique;
        if (!unique.isEmpty() && uniques.putIfAbsent(unique, id) != null) {
            return false;
        }
        dead.remove(id);
        job(id).startAfresh();
        delayed.put(id, now);
        return true;
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

    void forget(String id) {
        dead.remove(id);
        jobs.remove(id);
    }

    static List<String> inOrder(Map<String, Long> scored) {
        return scored.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private List<Boolean> settle(List<Settlement> settlements) {
        // All leases are looked at before any of them ends.
        List<Boolean> held =
                settlements.stream().map(s -> leased.containsKey(member(s))).toList();
        for (int i = 0; i < settlements.size(); i++) {
            Settlement settlement = settlements.get(i);
            ModelJob job = jobs.get(settlement.lease().id());
            if (!held.get(i) || job == null) {
                continue;
            }
            if (settlement.verb().equals("renew")) {
                leased.put(member(settlement), now + lease);
                continue;
            }
            leased.remove(member(settlement));
            if (settlement.verb().equals("complete")) {
                complete(job);
            } else {
                settleOne(settlement, job);
            }
        }
        return held;
    }

    private void complete(ModelJob job) {
        if (keep < 0) {
            jobs.remove(job.id);
        } else {
            completed.put(job.id, now);
        }
        end(job);
    }

    private void settleOne(Settlement settlement, ModelJob job) {
        long delay = settlement.number();
        switch (settlement.verb()) {
            case "retry" -> {
                job.count(1, 1, now);
                waitUntil(job, now + delay);
            }
            case "postpone" -> {
                job.count(1, 0, now);
                waitUntil(job, now + delay);
            }
            case "throttle" -> {
                job.count(1, 0, now);
                ready.addFirst(job.id);
                gate.holdUntil(now + delay, now);
            }
            case "abandon" -> {
                job.count(1, 0, now);
                ready.addFirst(job.id);
            }
            case "release", "unknown" -> {
                if (delay > 0) {
                    waitUntil(job, now + delay);
                } else {
                    ready.addFirst(job.id);
                }
            }
            case "bury" -> {
                job.count((int) delay, (int) delay, now);
                dead.put(job.id, now);
                end(job);
            }
            default -> throw new IllegalArgumentException(settlement.verb());
        }
    }

    private void waitUntil(ModelJob job, long due) {
        if (pass) {
            passOn(job);
        }
        delayed.put(job.id, due);
    }

    private void end(ModelJob job) {
        passOn(job);
        uniques.remove(job.unique);
    }

    private void passOn(ModelJob job) {
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

    private void join(ModelJob job) {
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

    private void toBack(ModelJob job) {
        if (job.priority > 0) {
            urgent.put(job.id, now - job.priority * 60_000L);
        } else {
            ready.addLast(job.id);
        }
    }

    private void reclaim() {
        List<String> expired = inOrder(leased).stream()
                .filter(member -> time(leased, member) <= now)
                .toList();
        for (int i = expired.size() - 1; i >= 0; i--) {
            leased.remove(expired.get(i));
            ModelJob job = job(expired.get(i).substring(0, expired.get(i).lastIndexOf('#')));
            job.count(1, 1, now);
            ready.addFirst(job.id);
        }
    }

    private void promote() {
        for (String id : inOrder(delayed)) {
            if (time(delayed, id) <= now) {
                delayed.remove(id);
                ModelJob job = job(id);
                Deque<String> line = keys.get(job.key);
                if (line != null && id.equals(line.peekFirst())) {
                    toBack(job);
                } else {
                    join(job);
                }
            }
        }
    }

    private void retain() {
        for (String id : inOrder(completed)) {
            boolean old = keepMs > 0 && time(completed, id) <= now - keepMs;
            if (keep >= 0 && (old || completed.size() > keep)) {
                completed.remove(id);
                jobs.remove(id);
            }
        }
    }

    private List<String> take(int n, String token) {
        List<String> taken = new ArrayList<>();
        if (n > 0) {
            places += urgent.isEmpty() ? 0 : n;
            pop(taken, urgent.isEmpty() ? n : (int) (places / 4 - (places - n) / 4));
            for (String id : inOrder(urgent)) {
                if (taken.size() < n) {
                    urgent.remove(id);
                    taken.add(id);
                }
            }
            pop(taken, n - taken.size());
            taken.removeIf(ghosts::remove);
            gate.passed(taken.size(), now);
        }
        taken.forEach(id -> leased.put(id + "#" + token, now + lease));
        return taken;
    }

    private void pop(List<String> taken, int n) {
        for (int i = 0; i < n && !ready.isEmpty(); i++) {
            taken.add(ready.removeFirst());
        }
    }

    /** The leases of the jobs taken just now are their worker's own business. */
    private long nextDue(String token, boolean reclaims) {
        Long reopens = ready.isEmpty() && urgent.isEmpty() ? null : gate.reopens();
        Stream<Long> others = leased.entrySet().stream()
                .filter(lease -> reclaims && !lease.getKey().endsWith("#" + token))
                .map(Map.Entry::getValue);
        return Stream.of(delayed.values().stream(), others, Stream.ofNullable(reopens))
                .flatMap(each -> each)
                .mapToLong(due -> Math.max(0, due - now))
                .min()
                .orElse(-1);
    }

    private ModelJob job(String id) {
        return requireNonNull(jobs.get(id), id);
    }

    private static long time(Map<String, Long> scored, String id) {
        return requireNonNull(scored.get(id), id);
    }

    private static String member(Settlement settlement) {
        return settlement.lease().id() + "#" + settlement.lease().token();
    }

    /** An answer. */
    record Answer(long nextDueMs, List<Boolean> held, List<String> taken) {}

    private record Answered(long number, Answer answer) {}

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
