package dev.baton.redis;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A store in memory that can be down, or refuse a letter. */
class Letters implements DeadLetterStore {
    final Map<String, DeadLetter> kept = new ConcurrentHashMap<>();
    final Set<String> refused = ConcurrentHashMap.newKeySet();
    final AtomicBoolean down = new AtomicBoolean();
    final AtomicInteger tried = new AtomicInteger();

    @Override
    public void bury(List<DeadLetter> letters) {
        tried.incrementAndGet();
        if (down.get() || letters.stream().anyMatch(letter -> refused.contains(letter.jobId()))) {
            throw new IllegalStateException("the store refuses");
        }
        letters.forEach(letter -> kept.put(letter.jobId(), letter));
    }

    @Override
    public List<DeadLetter> open(int limit) {
        return kept.values().stream().limit(limit).toList();
    }
}
