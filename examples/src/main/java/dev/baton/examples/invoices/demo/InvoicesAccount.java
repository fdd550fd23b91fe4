package dev.baton.examples.invoices.demo;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import dev.baton.deadletter.DeadLetter;
import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.Check;
import dev.baton.examples.invoices.sandbox.Ledger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the shops were told against what the providers and the database say. A pure function of all three. */
public final class InvoicesAccount {
    private InvoicesAccount() {}

    /** Adds up. */
    public static Account of(int wanted, Memories told, Findings found) {
        Ledger outside = found.outside();
        Set<String> kept = new HashSet<>(told.issuable());
        kept.removeAll(told.cancelled());
        Set<String> numbers = outside.numbers().entrySet().stream()
                .filter(each -> kept.contains(each.getKey()))
                .map(each -> each.getValue() + " of " + each.getKey())
                .collect(toSet());
        Map<String, Integer> letters =
                found.deadLetters().stream().collect(toMap(DeadLetter::messageId, letter -> 1, Integer::sum));
        return Account.of(
                wanted,
                List.of(
                        Check.equal("invoices requested", wanted, told.requested()),
                        Check.eachOnce("invoices at the providers", told.issuable(), outside.issued()),
                        Check.eachOnce("tax codes on them", pairs(told.taxCodes()), once(pairs(outside.taxCodes()))),
                        Check.equal("calls for an order that overlapped", 0, outside.overlaps()),
                        Check.eachOnce("cancelled at the providers", told.cancelled(), once(outside.cancelled())),
                        Check.eachOnce("invoices recorded as issued", numbers, found.numbers()),
                        Check.eachOnce("invoices recorded as cancelled", told.cancelled(), found.cancelled()),
                        Check.eachOnce("invoices recorded as failed", told.doomed(), found.failed()),
                        Check.eachOnce("rows of the audit", told.doomed(), found.audit()),
                        Check.eachOnce("dead letters", told.doomed(), letters),
                        Check.equal("invoices not at their end", 0, found.open()),
                        Check.equal("events unpublished", 0, found.unpublished()),
                        Check.equal("jobs in the queues", 0, found.pending())));
    }

    private static Set<String> pairs(Map<String, String> byOrder) {
        return byOrder.entrySet().stream()
                .map(each -> each.getValue() + " of " + each.getKey())
                .collect(toSet());
    }

    private static Map<String, Integer> once(Set<String> ids) {
        return ids.stream().collect(toMap(id -> id, id -> 1));
    }
}
