package dev.baton.examples.torture;

import dev.baton.examples.shop.ShopDemo;
import dev.baton.servers.Postgres;
import dev.baton.servers.Redis;
import dev.baton.servers.Servers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * Repeats the shop, with faults and a kill each time and another seed, until the time is over. Ends with status 1 at the
 * first account that does not hold, and says how to see that round again.
 */
public final class Torture {
    private static final int ORDERS = 300;

    private Torture() {}

    /** {@code -Dtorture.minutes}: begins no round after so many minutes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        long minutes = Long.getLong("torture.minutes", 5);
        System.out.println(Servers.startAll());
        long end = System.nanoTime() + minutes * 60_000_000_000L;
        Random seeds = new Random();
        int rounds = 0;
        while (rounds == 0 || System.nanoTime() < end) {
            int seed = seeds.nextInt(1_000_000);
            if (round(seed) != 0) {
                System.err.printf(
                        "round %d failed; again: mvn -q -Pshop -Dshop.kill=true -Dshop.orders=%d -Dshop.seed=%d%n",
                        rounds + 1, ORDERS, seed);
                System.exit(1);
            }
            rounds++;
            System.out.printf("%n%d rounds of %d orders held%n%n", rounds, ORDERS);
        }
        System.exit(0);
    }

    /** In a JVM of its own, on the servers of this one. */
    private static int round(int seed) throws IOException, InterruptedException {
        ProcessBuilder shop = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Dshop.kill=true",
                        "-Dshop.orders=" + ORDERS,
                        "-Dshop.seed=" + seed,
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShopDemo.class.getName())
                .inheritIO();
        shop.environment().put("DATABASE_URL", Postgres.get().databaseUrl());
        shop.environment().put("REDIS_URL", Redis.get().uri().toString());
        return shop.start().waitFor();
    }
}
