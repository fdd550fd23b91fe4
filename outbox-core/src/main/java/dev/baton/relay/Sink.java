package dev.baton.relay;

import dev.baton.job.JobOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where events go. Redis queues are one kind of sink; write your own for anything that can take a batch, and test it by
 * {@link SinkContract}.
 *
 * <p><b>Delivery.</b> A sink can get an event twice (a relay died after the sink had accepted it and before that was
 * recorded), so it should recognise an event by its id. One that can remember its last batch is an {@link ExactSink}.
 *
 * <p><b>Threads.</b> One relay calls it from one thread per shard; several relays may share a sink.
 */
public interface Sink {
    /** A name for logs and errors; two sinks of one relay have different names. */
    String name();

    /**
     * Takes a batch, keeping its order.
     *
     * @return one answer per delivery, in the same order
     * @throws RuntimeException if the sink could not be reached; none counts as accepted then, and all come again
     */
    List<SinkAnswer> accept(List<Delivery> deliveries);

    /**
     * How many deliveries {@link #accept} gets at once, at most; no bound by default. A sink that takes long has one, so that
     * a call takes a few seconds at most: the relay's transaction waits for it, and the relay looks at the time between two
     * calls only. What it has no time for is left for its next turn.
     */
    default int largestBatch() {
        return Integer.MAX_VALUE;
    }

    /**
     * Why the sink would never take this delivery, as far as that can be said without asking it; null if it may. Without
     * payload data.
     */
    default @Nullable String objection(Delivery delivery) {
        return null;
    }

    /**
     * What of a route's options the sink cannot keep, such as a delay; null if it keeps them all. Asked when the routes are
     * built, so that nobody finds out from an event that came too early.
     *
     * @param options as the route says; an ordering key stands for any
     */
    default @Nullable String objection(JobOptions options) {
        return null;
    }
}
