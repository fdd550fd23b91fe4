package dev.baton.examples.shop.demo;

/**
 * An order as its customer remembers it.
 *
 * @param amount in đồng
 */
public record PlacedOrder(String id, String customerId, long amount) {}
