package dev.baton.redis;

import dev.baton.internal.FailureLog;
import dev.baton.internal.Loop;
import dev.baton.internal.Pass;
import dev.baton.internal.Rests;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The background threads of one worker. As soon as one of them gets through after a failure, the others try again at once. */
final class WorkerLoops {
    private final String queue;
    private final Rests rests;
    private final FailureLog failures = new FailureLog();
    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    /**
     * None yet.
     *
     * @param queue for the names of the threads
     */
    WorkerLoops(String queue, Rests rests) {
        this.queue = queue;
        this.rests = rests;
    }

    /** One more, not started yet. */
    Loop add(String duty, Pass pass) {
        Loop loop = new Loop("baton-" + queue + "-" + duty, pass, failures, rests, this::back);
        loops.add(loop);
        return loop;
    }

    private void back() {
        loops.forEach(Loop::retry);
    }
}
