package dev.baton.benchmarks.queue;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import java.util.List;

/** Handlers that do nothing have no dead jobs. */
final class NoDeaths implements DeadLetterStore {
    @Override
    public void bury(List<DeadLetter> letters) {
        throw new IllegalStateException(letters.size() + " jobs died");
    }

    @Override
    public List<DeadLetter> open(int limit) {
        return List.of();
    }
}
