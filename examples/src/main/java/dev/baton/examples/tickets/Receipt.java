package dev.baton.examples.tickets;

import java.time.Instant;

/**
 * What a buyer is told.
 *
 * @param id of the order
 * @param expiresAt until when to pay, by the database's clock
 */
public record Receipt(long id, Instant expiresAt) {}
