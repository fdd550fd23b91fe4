package dev.baton.relay;

import java.util.List;

/**
 * Where events go. Redis queues are one kind of sink; write your own for anything that can take a batch.
 *
 * <p><b>Delivery.</b> A sink can get an event twice (a relay died after the sink had accepted it and before that was
 * recorded), so it should recognise an event by its id.
 *
 * <p><b>Threads.</b> One relay calls it from one thread; several relays may share a sink.
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
}
