package dev.baton.examples.tickets.demo;

import dev.baton.examples.demo.DemoRedis;
import dev.baton.examples.demo.DemoWorkers;
import dev.baton.examples.tickets.TicketsConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** Kills a worker, then Redis, then another worker, each when some share of the orders is booked. Not thread-safe. */
public final class Havoc {
    /** The longest rest of a loop that could not reach its server; see {@code docs/connections.md}. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(2);

    private final TicketsConfig config;
    private final DemoWorkers workers;
    private final DemoRedis redis;
    private final Auditor clock;
    private final Outages outages = new Outages();
    private final Map<String, Integer> done = new TreeMap<>();
    private final Deque<Step> steps = new ArrayDeque<>();

    /** @param clock tells the database's time */
    public Havoc(TicketsConfig config, DemoWorkers workers, DemoRedis redis, Auditor clock) {
        this.config = config;
        this.workers = workers;
        this.redis = redis;
        this.clock = clock;
        steps.add(new Step(0.25, this::killWorker));
        steps.add(new Step(0.5, this::restartRedis));
        steps.add(new Step(0.75, this::killWorker));
    }

    /** Does what is due. */
    public void strike(TicketsProgress progress) throws IOException {
        Step next = steps.peek();
        if (next != null && progress.booked() >= next.share() * progress.wanted()) {
            steps.remove();
            next.action().take();
        }
    }

    /** When nothing could be released because of it. */
    public Outages outages() {
        return outages;
    }

    /** How often what was done. */
    public Map<String, Integer> done() {
        return done;
    }

    /** Its jobs are leased until their leases end; then another worker has them. */
    private void killWorker() throws IOException {
        Instant began = clock.now();
        workers.killOldest();
        outages.add(began, clock.now().plus(config.lease()));
        workers.startOne();
        say("WORKER_KILLED", "Killed a worker (kill -9); the other one goes on, and a new one joins it.");
    }

    private void restartRedis() {
        if (!redis.isOurs()) {
            System.out.printf("%nThe Redis named by REDIS_URL is not ours to kill: left alone.%n");
            return;
        }
        Instant began = clock.now();
        redis.killAndRestart();
        clock.awaitRedis();
        outages.add(began, clock.now().plus(LONGEST_REST));
        say("REDIS_KILLED", "Killed Redis (kill -9) and started it again.");
    }

    private void say(String what, String sentence) {
        done.merge(what, 1, Integer::sum);
        System.out.printf("%n%s%n", sentence);
    }

    @FunctionalInterface
    private interface Action {
        void take() throws IOException;
    }

    private record Step(double share, Action action) {}
}
