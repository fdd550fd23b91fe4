package dev.baton.redis;

import dev.baton.job.EnqueueAnswer;
import dev.baton.job.NewJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the Lua scripts are to do, in plain Java and without a thought for speed. */
final class ModelQueue extends ModelPlaces {
    /** That were given away while urgent jobs waited. */
    private long places;

    final ModelGate gate = new ModelGate();
    int keep = -1;
    long keepMs;

    private final long lease;
    private final Map<String, Answered> sessions = new HashMap<>();

    ModelQueue(long now, long lease) {
        super(now);
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

    /** Its letter is in the dead-letter store. */
    void forget(String id) {
        dead.remove(id);
        jobs.remove(id);
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

    private static String member(Settlement settlement) {
        return settlement.lease().id() + "#" + settlement.lease().token();
    }

    /** An answer. */
    record Answer(long nextDueMs, List<Boolean> held, List<String> taken) {}

    private record Answered(long number, Answer answer) {}
}
