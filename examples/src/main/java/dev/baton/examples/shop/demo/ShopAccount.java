package dev.baton.examples.shop.demo;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingLong;
import static java.util.stream.Collectors.toSet;

import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.Check;
import dev.baton.examples.shop.loyalty.LoyaltyService;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What should have happened to the orders against what did. A pure function of both. */
public final class ShopAccount {
    private ShopAccount() {}

    /** Adds up. */
    public static Account of(int wanted, List<PlacedOrder> orders, Findings found) {
        Set<String> ids = orders.stream().map(PlacedOrder::id).collect(toSet());
        Map<String, Long> points = orders.stream()
                .collect(groupingBy(
                        PlacedOrder::customerId,
                        summingLong(order -> order.amount() / LoyaltyService.AMOUNT_PER_POINT)));
        long money = orders.stream().mapToLong(PlacedOrder::amount).sum();
        return Account.of(
                wanted,
                List.of(
                        Check.equal("orders placed", wanted, orders.size()),
                        Check.eachOnce("orders in the database", ids, found.orders()),
                        Check.eachOnce(
                                "captures at the gateway", ids, found.outside().captures()),
                        Check.equal("money taken", money, sum(found.outside().money())),
                        Check.eachOnce("payments recorded as captured", ids, found.captured()),
                        Check.eachOnce("events payment.captured", ids, found.capturedEvents()),
                        Check.eachOnce(
                                "shipments at the carrier", ids, found.outside().shipments()),
                        Check.eachOnce("shipments recorded", ids, found.shipments()),
                        Check.equal("points awarded", sum(points), sum(found.points())),
                        Check.equal(
                                "customers with exactly their points", points.size(), matching(points, found.points())),
                        Check.eachOnce(
                                "confirmations sent", ids, found.outside().mails()),
                        Check.equal("events unpublished", 0, found.unpublished()),
                        Check.equal("jobs in the queues", 0, found.pending()),
                        Check.equal("dead letters", 0, found.deadLetters().size())));
    }

    private static long sum(Map<String, Long> values) {
        return values.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long matching(Map<String, Long> expected, Map<String, Long> found) {
        return expected.entrySet().stream()
                .filter(each -> Objects.equals(each.getValue(), found.getOrDefault(each.getKey(), 0L)))
                .count();
    }
}
