package dev.baton.redis;

import dev.baton.redis.Journal.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a journal of jobs named {@code key/number}, and finds those that overlapped or were out of order. */
final class KeyOrder {
    private final Map<String, Key> keys = new HashMap<>();
    private final List<String> problems = new ArrayList<>();

    void read(Entry entry) {
        switch (entry.what()) {
            case "began" -> key(entry).began(entry);
            case "fail", "later" -> key(entry).running = null;
            case "ok" -> key(entry).ended();
            case "killed" -> keys.values().forEach(key -> key.killed(entry.process()));
            default -> {}
        }
    }

    List<String> problems() {
        return problems;
    }

    /** How many jobs ended well; one that was repeated after a kill is one. */
    int ended() {
        return keys.values().stream().mapToInt(key -> key.next).sum();
    }

    private Key key(Entry entry) {
        return keys.computeIfAbsent(entry.job().split("/", -1)[0], name -> new Key());
    }

    private final class Key {
        private @Nullable Entry running;
        private @Nullable Entry ended;
        private int next;
        private boolean mayRepeat;

        private void began(Entry entry) {
            int number = Integer.parseInt(entry.job().split("/", -1)[1]);
            if (running != null) {
                problems.add(entry + " overlaps " + running);
            }
            if (mayRepeat && number == next - 1) {
                next--;
            } else if (number != next) {
                problems.add(entry + " is out of order, expected " + next);
                next = number;
            }
            mayRepeat = false;
            running = entry;
        }

        private void ended() {
            ended = running;
            running = null;
            next++;
        }

        /** Nothing of it runs any more. Whether the queue was still told of its last end is open. */
        private void killed(String process) {
            if (running != null && running.process().equals(process)) {
                running = null;
            } else if (running == null && ended != null && ended.process().equals(process)) {
                mayRepeat = true;
            }
        }
    }
}
