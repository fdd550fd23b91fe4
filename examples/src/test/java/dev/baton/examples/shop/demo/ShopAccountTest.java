package dev.baton.examples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.examples.demo.Account;
import dev.baton.examples.demo.Check;
import dev.baton.examples.shop.sandbox.Effects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShopAccountTest {
    private static final List<PlacedOrder> ORDERS =
            List.of(new PlacedOrder("a", "alice", 25_000), new PlacedOrder("b", "alice", 19_999));
    private static final Map<String, Integer> ONCE = Map.of("a", 1, "b", 1);
    private static final Map<String, Long> MONEY = Map.of("a", 25_000L, "b", 19_999L);
    private static final Map<String, Long> POINTS = Map.of("alice", 3L);

    @Test
    void it_holds_if_everything_happened_once() {
        assertThat(account(ONCE, MONEY, ONCE, POINTS, 0).checks()).allMatch(Check::holds);
        assertThat(account(ONCE, MONEY, ONCE, POINTS, 0).holds()).isTrue();
    }

    @Test
    void a_double_capture_is_found() {
        Account account = account(Map.of("a", 2, "b", 1), Map.of("a", 50_000L, "b", 19_999L), ONCE, POINTS, 0);

        assertThat(broken(account))
                .containsExactly("captures at the gateway: 1 once, 1 too often", "money taken: 69999");
    }

    @Test
    void a_missing_capture_is_found() {
        Account account = account(Map.of("a", 1), Map.of("a", 25_000L), ONCE, POINTS, 0);

        assertThat(broken(account)).containsExactly("captures at the gateway: 1 once, 1 missing", "money taken: 25000");
    }

    @Test
    void a_shipment_of_an_order_that_nobody_placed_is_found() {
        Account account = account(ONCE, MONEY, Map.of("a", 1, "b", 1, "c", 1), POINTS, 0);

        assertThat(broken(account)).containsExactly("shipments at the carrier: 2 once, 1 too often");
    }

    @Test
    void points_of_the_wrong_customer_are_found() {
        Account account = account(ONCE, MONEY, ONCE, Map.of("bob", 3L), 0);

        assertThat(broken(account)).containsExactly("customers with exactly their points: 0");
    }

    @Test
    void a_job_left_over_is_found() {
        assertThat(broken(account(ONCE, MONEY, ONCE, POINTS, 1))).containsExactly("jobs in the queues: 1");
    }

    @Test
    void an_order_that_was_not_placed_is_found() {
        Findings nothing = findings(Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0);

        assertThat(broken(ShopAccount.of(1, List.of(), nothing))).containsExactly("orders placed: 0");
    }

    private static Account account(
            Map<String, Integer> captures,
            Map<String, Long> money,
            Map<String, Integer> shipments,
            Map<String, Long> points,
            long pending) {
        return ShopAccount.of(2, ORDERS, findings(ONCE, captures, money, shipments, points, pending));
    }

    private static Findings findings(
            Map<String, Integer> once,
            Map<String, Integer> captures,
            Map<String, Long> money,
            Map<String, Integer> shipments,
            Map<String, Long> points,
            long pending) {
        Effects outside = new Effects(captures, money, shipments, once);
        return new Findings(outside, once, once, once, once, points, 0, pending, List.of());
    }

    private static List<String> broken(Account account) {
        List<String> broken = account.checks().stream()
                .filter(check -> !check.holds())
                .map(check -> check.name() + ": " + check.found())
                .toList();
        assertThat(account.holds()).isEqualTo(broken.isEmpty());
        return broken;
    }
}
