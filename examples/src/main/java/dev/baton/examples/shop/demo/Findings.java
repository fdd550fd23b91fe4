package dev.baton.examples.shop.demo;

import dev.baton.deadletter.DeadLetter;
import dev.baton.examples.shop.sandbox.Effects;
import java.util.List;
import java.util.Map;

/**
 * What there is in the end, each by order unless said otherwise.
 *
 * @param outside what the foreign services have seen
 * @param orders rows
 * @param captured payments that are recorded as captured
 * @param capturedEvents events of {@code payment.captured}
 * @param shipments rows
 * @param points by customer
 * @param unpublished events that the relay has not handed over
 * @param pending jobs in any state, in all queues
 * @param deadLetters jobs that will not be tried again
 */
public record Findings(
        Effects outside,
        Map<String, Integer> orders,
        Map<String, Integer> captured,
        Map<String, Integer> capturedEvents,
        Map<String, Integer> shipments,
        Map<String, Long> points,
        long unpublished,
        long pending,
        List<DeadLetter> deadLetters) {}
