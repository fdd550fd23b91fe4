package dev.baton.examples.tickets.demo;

import static java.util.stream.Collectors.toMap;

import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.Check;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What the buyers were told against what is in the database. A pure function of both. */
public final class TicketsAccount {
    private TicketsAccount() {}

    /** Adds up. */
    public static Account of(int wanted, Memories told, Findings found, Outages outages) {
        Map<String, Integer> released = found.releases().stream()
                .collect(toMap(each -> Long.toString(each.orderId()), each -> 1, Integer::sum));
        long early = found.releases().stream()
                .filter(each -> each.after().isNegative())
                .count();
        Duration worst = found.releases().stream()
                .map(each -> outages.late(each.due(), each.done()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return Account.of(
                wanted,
                List.of(
                        Check.equal("orders booked", wanted, told.booked()),
                        Check.eachOnce(
                                "seats sold, as the buyers were told",
                                told.sold().keySet(),
                                told.sold()),
                        Check.eachOnce("seats sold, as the database says", told.purchases(), found.purchases()),
                        Check.eachOnce("orders paid", told.orders("pay"), found.paid()),
                        Check.eachOnce("orders cancelled by their buyers", told.orders("cancel"), found.cancelled()),
                        Check.eachOnce("orders that expired", told.orders("expire"), released),
                        Check.equal("seats still locked", 0, found.locked()),
                        Check.equal("orders released before their time", 0, early),
                        Check.atMost(
                                "longest delay of a release, in ms", Outages.TOLERANCE.toMillis(), worst.toMillis()),
                        Check.equal("events unpublished", 0, found.unpublished()),
                        Check.equal("jobs in the queue", 0, found.pending()),
                        Check.equal("dead letters", 0, found.deadLetters().size())));
    }
}
