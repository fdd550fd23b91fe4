package dev.baton.examples.invoices.demo;

import dev.baton.deadletter.DeadLetter;
import dev.baton.examples.invoices.sandbox.Ledger;
import java.util.List;
import java.util.Map;

/**
 * What there is in the end, each by order unless said otherwise.
 *
 * @param outside what the providers have seen
 * @param numbers of invoices that are recorded as issued, with their order, such as {@code vnis-1-1 of ..}
 * @param cancelled invoices
 * @param failed invoices
 * @param audit rows that say that an issuance failed
 * @param open invoices that are not at their end
 * @param waits from the request to the invoice, in nanoseconds, of those that were to be issued at once
 * @param unpublished events that the relay has not handed over
 * @param pending jobs in any state, in all queues
 * @param deadLetters jobs that will not be tried again
 */
public record Findings(
        Ledger outside,
        Map<String, Integer> numbers,
        Map<String, Integer> cancelled,
        Map<String, Integer> failed,
        Map<String, Integer> audit,
        long open,
        List<Long> waits,
        long unpublished,
        long pending,
        List<DeadLetter> deadLetters) {}
