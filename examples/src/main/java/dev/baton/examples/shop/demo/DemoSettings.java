package dev.baton.examples.shop.demo;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a run of the demo is to do.
 *
 * @param orders how many are placed; {@code -Dshop.orders=200}
 * @param faults whether the sandbox fails now and then; {@code -Dshop.faults=true}
 * @param kill whether the workers are killed in the middle; {@code -Dshop.kill=false}
 * @param seed of orders and faults, a new one for each run unless given; {@code -Dshop.seed=1}
 * @param account where the account is written; {@code -Dshop.account=target/shop-account.json}
 */
public record DemoSettings(int orders, boolean faults, boolean kill, long seed, Path account) {
    private static final int MOST_ORDERS = 100_000;

    /**
     * From the system properties.
     *
     * @throws IllegalArgumentException if one cannot be used
     */
    public static DemoSettings fromProperties() {
        return new DemoSettings(
                (int) number("shop.orders", 200, 1, MOST_ORDERS),
                flag("shop.faults", true),
                flag("shop.kill", false),
                number("shop.seed", System.nanoTime() % 1_000_000, 0, Long.MAX_VALUE),
                Path.of(System.getProperty("shop.account", "target/shop-account.json")));
    }

    /** After so long the run gives up: with faults, a throttled queue alone stands still for a second each time. */
    public Duration limit() {
        return Duration.ofSeconds(60).plusMillis(300L * orders);
    }

    private static long number(String property, long otherwise, long least, long most) {
        String given = System.getProperty(property, "");
        String value = given.isEmpty() ? Long.toString(otherwise) : given;
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                property + " is " + value + "; it must be a whole number from " + least + " to " + most);
    }

    private static boolean flag(String property, boolean otherwise) {
        String value = System.getProperty(property, Boolean.toString(otherwise));
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(property + " is " + value + "; it must be true or false");
        }
        return value.equals("true");
    }
}
