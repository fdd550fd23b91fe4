package dev.baton.relay;

import dev.baton.outbox.Event;

/**
 * One event on its way to one sink.
 *
 * @param event as it was written
 * @param jobName what kind of work the route makes of it
 */
public record Delivery(Event event, String jobName) {}
