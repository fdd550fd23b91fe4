package dev.baton.relay;

import dev.baton.job.JobOptions;
import dev.baton.outbox.Event;

/**
 * One event on its way to one sink.
 *
 * @param event as it was written
 * @param jobName what kind of work the route makes of it
 * @param payload as the route maps it
 * @param options when and in which order the job may start
 */
public record Delivery(Event event, String jobName, String payload, JobOptions options) {
    /** As the event says. */
    public Delivery(Event event, String jobName) {
        this(event, jobName, event.payload(), JobOptions.DEFAULT);
    }

    /** Says which event it is, never what is in it. */
    @Override
    public String toString() {
        return "Delivery[" + jobName + " " + event + "]";
    }
}
