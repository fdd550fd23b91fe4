package dev.baton.examples.tickets.demo;

import dev.baton.deadletter.DeadLetter;
import java.util.List;
import java.util.Map;

/**
 * What there is in the end.
 *
 * @param paid orders
 * @param cancelled orders that were cancelled by their customers
 * @param purchases seats with the orders that bought them
 * @param locked seats that are not free and not sold
 * @param releases orders that expired
 * @param unpublished events that the relay has not handed over
 * @param pending jobs in any state
 * @param deadLetters jobs that will not be tried again
 */
public record Findings(
        Map<String, Integer> paid,
        Map<String, Integer> cancelled,
        Map<String, Integer> purchases,
        long locked,
        List<Release> releases,
        long unpublished,
        long pending,
        List<DeadLetter> deadLetters) {}
