package dev.baton.examples.tickets.demo;

import dev.baton.examples.demo.Crowd;
import dev.baton.examples.tickets.Receipt;
import dev.baton.examples.web.JsonClient;
import dev.baton.failure.PermanentException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Buyers who book seats over HTTP, sixty a second. Half of them pay, some at the last moment and some too late; some
 * exchange their seats first, some cancel, some want their order deleted, the others are never heard of again.
 */
public final class Buyers implements AutoCloseable {
    private static final int AT_A_TIME = 8;
    private static final Duration EVERY = Duration.ofMillis(16);
    private static final int SEATS_PER_ORDER = 3;
    private static final int ROW = 1_000;
    private static final int MOST_TRIES = 100;

    private final Crowd crowd = new Crowd(AT_A_TIME);
    private final Memories memories = new Memories();
    private final JsonClient api;
    private final int seats;
    private final long holdMs;

    private Buyers(URI api, int seats, Duration hold) {
        this.api = new JsonClient(api, Duration.ofSeconds(10));
        this.seats = seats;
        this.holdMs = hold.toMillis();
    }

    /**
     * Puts seats up for sale, three for each order, begins to book and returns at once.
     *
     * @param hold how long an order is held
     */
    public static Buyers start(URI api, int orders, Duration hold, long seed) throws IOException, InterruptedException {
        Buyers buyers = new Buyers(api, orders * SEATS_PER_ORDER, hold);
        for (int row = 0; row < buyers.seats; row += ROW) {
            List<String> some = IntStream.range(row, Math.min(row + ROW, buyers.seats))
                    .mapToObj(Buyers::seat)
                    .toList();
            buyers.post("/seats", Map.of("seats", some), Map.class);
        }
        Random seeds = new Random(seed);
        for (int i = 1; i <= orders; i++) {
            Random own = new Random(seeds.nextLong());
            buyers.crowd.comes(EVERY.multipliedBy(i), () -> buyers.book(own));
        }
        return buyers;
    }

    /** What they remember so far. */
    public Memories memories() {
        return memories;
    }

    @Override
    public void close() {
        crowd.close();
    }

    private void book(Random random) throws IOException, InterruptedException {
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            Set<String> wish = wish(random);
            try {
                Object body = Map.of("customerId", "buyer-" + random.nextInt(1_000), "seats", wish);
                long order = post("/orders", body, Receipt.class).id();
                memories.booked(order, wish);
                decide(order, random);
                return;
            } catch (PermanentException taken) {
                // Somebody was faster; other seats, then.
            }
        }
        throw new IOException("no free seats after " + MOST_TRIES + " tries");
    }

    /** What happens next, and when: at any moment of the hold, and some moments after it. */
    private void decide(long order, Random random) {
        Duration later = Duration.ofMillis((long) (random.nextDouble() * 1.1 * holdMs));
        int dice = random.nextInt(100);
        if (dice < 45) {
            crowd.comes(later, () -> tell(order, "pay"));
        } else if (dice < 65) {
            crowd.comes(later, () -> replace(order, random));
        } else if (dice < 72) {
            crowd.comes(later, () -> tell(order, "cancel"));
        } else if (dice < 77) {
            crowd.comes(later, () -> tell(order, "delete"));
        } else {
            memories.vanished(order);
        }
    }

    private void replace(long order, Random random) throws IOException, InterruptedException {
        Set<String> wish = wish(random);
        try {
            post("/orders/" + order + "/seats", Map.of("seats", wish), Receipt.class);
            memories.replaced(order, wish);
        } catch (PermanentException refused) {
            // Too late, or the seats are taken; either way the order is what it was.
        }
        Duration later = Duration.ofMillis((long) (random.nextDouble() * 1.1 * holdMs));
        if (random.nextBoolean()) {
            crowd.comes(later, () -> tell(order, "pay"));
        } else {
            memories.vanished(order);
        }
    }

    private void tell(long order, String what) throws IOException, InterruptedException {
        try {
            if (what.equals("delete")) {
                api.delete("/orders/" + order, Map.class, "tickets: delete order");
            } else {
                post("/orders/" + order + "/" + what, Map.of(), Map.class);
            }
            memories.told(order, what);
        } catch (PermanentException tooLate) {
            memories.vanished(order);
        }
    }

    private <T> T post(String path, Object body, Class<T> answer) throws IOException, InterruptedException {
        return api.post(path, Map.of(), body, answer, "tickets: POST " + path);
    }

    /** One to four seats side by side. */
    private Set<String> wish(Random random) {
        int first = random.nextInt(seats);
        Set<String> wish = new LinkedHashSet<>();
        IntStream.rangeClosed(first, Math.min(seats - 1, first + random.nextInt(4)))
                .mapToObj(Buyers::seat)
                .forEach(wish::add);
        return wish;
    }

    private static String seat(int number) {
        return "seat-" + number;
    }
}
