package dev.baton.examples.invoices.demo;

import dev.baton.examples.demo.Crowd;
import dev.baton.examples.invoices.sandbox.ProviderSandbox;
import dev.baton.examples.web.JsonClient;
import dev.baton.failure.PermanentException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Shops that ask for invoices over HTTP, thirty a second, some of them twice. A fifth can be claimed by their buyers, of whom
 * half do, some too late; some orders are cancelled at once; some are for tax codes that no provider accepts.
 */
public final class Shops implements AutoCloseable {
    private static final int AT_A_TIME = 8;
    private static final Duration EVERY = Duration.ofMillis(33);
    private static final int LARGEST_AMOUNT = 5_000_000;

    private final Crowd crowd = new Crowd(AT_A_TIME);
    private final Memories memories = new Memories();
    private final JsonClient api;
    private final long claimMs;

    private Shops(URI api, Duration claim) {
        this.api = new JsonClient(api, Duration.ofSeconds(10));
        this.claimMs = claim.toMillis();
    }

    /**
     * Begins to ask for so many invoices and returns at once.
     *
     * @param claim how long a buyer may claim an invoice
     */
    public static Shops start(URI api, int orders, Duration claim, long seed) {
        Shops shops = new Shops(api, claim);
        Random seeds = new Random(seed);
        for (int i = 1; i <= orders; i++) {
            Random own = new Random(seeds.nextLong());
            shops.crowd.comes(EVERY.multipliedBy(i), () -> shops.ask(own));
        }
        return shops;
    }

    /** What they remember so far. */
    public Memories memories() {
        return memories;
    }

    @Override
    public void close() {
        crowd.close();
    }

    private void ask(Random random) throws IOException, InterruptedException {
        String order = new UUID(random.nextLong(), random.nextLong()).toString();
        int dice = random.nextInt(100);
        if (dice < 50) {
            request(random, order, "REAL_TIME", random.nextBoolean() ? null : taxCode(random), false);
            cancelSome(random, order);
        } else if (dice < 70) {
            request(random, order, "SCHEDULED", taxCode(random), false);
            memories.ended(order);
        } else if (dice < 90) {
            request(random, order, "REAL_TIME", null, true);
            claimSome(random, order);
        } else {
            String bad = dice < 95 ? ProviderSandbox.REFUSED : ProviderSandbox.UNLUCKY;
            request(random, order, "REAL_TIME", bad, false);
            memories.ended(order);
        }
    }

    private void request(Random random, String order, String mode, @Nullable String taxCode, boolean claimable)
            throws IOException, InterruptedException {
        String provider = random.nextBoolean() ? "vnis" : "vnpay";
        Wish wish = new Wish(order, provider, mode, 1 + random.nextInt(LARGEST_AMOUNT), taxCode, claimable);
        post("", wish);
        memories.requested(order, Objects.requireNonNullElse(taxCode, ""));
        if (random.nextInt(10) == 0) {
            // As a consumer does that died before it could say that it was done.
            post("", wish);
        }
    }

    /** Right away: the issuance is in progress then. */
    private void cancelSome(Random random, String order) throws IOException, InterruptedException {
        if (random.nextInt(5) == 0) {
            post("/" + order + "/cancel", Map.of());
            memories.cancelled(order);
        }
        memories.ended(order);
    }

    private void claimSome(Random random, String order) {
        if (random.nextBoolean()) {
            Duration later = Duration.ofMillis((long) (random.nextDouble() * 1.1 * claimMs));
            crowd.comes(later, () -> claim(order, taxCode(random)));
        } else {
            memories.ended(order);
        }
    }

    private void claim(String order, String taxCode) throws IOException, InterruptedException {
        try {
            post("/" + order + "/claim", Map.of("taxCode", taxCode));
            memories.claimed(order, taxCode);
        } catch (PermanentException tooLate) {
            // Then it is a retail invoice.
        }
        memories.ended(order);
    }

    private void post(String path, Object body) throws IOException, InterruptedException {
        api.post("/invoices" + path, Map.of(), body, Map.class, "invoices: POST");
    }

    /** One that providers accept. */
    private static String taxCode(Random random) {
        return "01" + (10_000_000 + random.nextInt(80_000_000));
    }
}
