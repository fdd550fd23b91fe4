package dev.baton.examples.shop.sandbox;

import java.util.Map;

/**
 * What the outside world has seen happen, by order. These numbers are the truth that the account is checked against.
 *
 * @param captures how often money was taken
 * @param money how much was taken in all
 * @param shipments how many parcels were booked
 * @param mails how many mails were sent
 */
public record Effects(
        Map<String, Integer> captures,
        Map<String, Long> money,
        Map<String, Integer> shipments,
        Map<String, Integer> mails) {}
