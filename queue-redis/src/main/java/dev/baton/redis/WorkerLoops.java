package dev.baton.redis;

import dev.baton.internal.FailureLog;
import dev.baton.internal.Loop;
import dev.baton.internal.Pass;
import dev.baton.internal.Rests;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The background threads of one worker. As soon as one of them gets through after a failure, or the servers are said to be
 * back, the others try again at once.
 */
final class WorkerLoops {
    private final String queue;
    private final Rests rests;
    private final Recovery recovery;
    private final Runnable retry = this::retry;
    private final FailureLog failures = new FailureLog();
    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    /**
     * None yet.
     *
     * @param queue for the names of the threads
     * @param recovery of the servers
     */
    WorkerLoops(String queue, Rests rests, Recovery recovery) {
        this.queue = queue;
        this.rests = rests;
        this.recovery = recovery;
        recovery.add(retry);
    }

    /** One more, not started yet; the caller closes it. */
    Loop add(String duty, Pass pass) {
        Loop loop = new Loop("baton-" + queue + "-" + duty, pass, failures, rests, retry);
        loops.add(loop);
        return loop;
    }

    /** Hears no more of the servers; after the loops were closed. */
    void ended() {
        recovery.remove(retry);
    }

    private void retry() {
        loops.forEach(Loop::retry);
    }
}
