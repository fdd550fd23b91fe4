package dev.baton.outbox;

import java.time.Duration;

/**
 * How far the relays are behind. The numbers are counted up to {@value #MOST}, so that asking stays cheap however large the
 * backlog is; that number means "so many or more".
 *
 * @param unpublished committed events that are not marked as published, of whatever topic
 * @param unknown those of them whose topic has no route here; they wait for a relay that knows it
 * @param parked those of them that a sink refused, or that wait behind one
 * @param oldestAge age of the oldest of them by the database's clock, counted from the start of its transaction; zero
 *     if there is none
 */
public record Lag(long unpublished, long unknown, long parked, Duration oldestAge) {
    /** Where counting ends. */
    public static final int MOST = 100_000;
}
