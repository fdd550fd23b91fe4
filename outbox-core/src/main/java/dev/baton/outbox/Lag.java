package dev.baton.outbox;

import java.time.Duration;

/**
 * How far the relay is behind.
 *
 * @param unpublished committed events that are not marked as published, of whatever topic
 * @param oldestAge age of the oldest of them by the database's clock, counted from the start of its transaction; zero
 *     if there is none
 */
public record Lag(long unpublished, Duration oldestAge) {}
