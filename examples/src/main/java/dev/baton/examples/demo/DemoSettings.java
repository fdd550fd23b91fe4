package dev.baton.examples.demo;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a run of a demo is to do. {@code NAME} is the name of the example.
 *
 * @param name of the example
 * @param orders how many are placed; {@code -DNAME.orders=200}
 * @param faults whether things fail now and then; {@code -DNAME.faults=true}
 * @param kill whether workers are killed in the middle; {@code -DNAME.kill=true}
 * @param serve whether it only starts everything and stays up; {@code -Dserve}
 * @param seed of all that is random, a new one for each run unless given; {@code -DNAME.seed=1}
 * @param account where the account is written; {@code -DNAME.account=target/NAME-account.json}
 */
public record DemoSettings(
        String name, int orders, boolean faults, boolean kill, boolean serve, long seed, Path account) {
    private static final int USUAL_PORT = 8080;
    private static final int MOST_ORDERS = 100_000;

    /**
     * From the system properties.
     *
     * @param orders unless given
     * @param kill unless given
     * @throws IllegalArgumentException if one cannot be used
     */
    public static DemoSettings fromProperties(String name, int orders, boolean kill) {
        return new DemoSettings(
                name,
                (int) number(name + ".orders", orders, 1, MOST_ORDERS),
                flag(name + ".faults", true),
                flag(name + ".kill", kill),
                flag("serve", false),
                number(name + ".seed", System.nanoTime() % 1_000_000, 0, Long.MAX_VALUE),
                Path.of(System.getProperty(name + ".account", "target/" + name + "-account.json")));
    }

    /** Where the API answers: at the usual port if it stays up, at any free one (0) otherwise. */
    public int port() {
        return serve ? USUAL_PORT : 0;
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
