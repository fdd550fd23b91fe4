package dev.baton.examples.tickets.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When nothing could be released, because what does it was killed; by the database's clock. Thread-safe. */
public final class Outages {
    private static final Logger log = LoggerFactory.getLogger(Outages.class);

    /** A hold is released so long after its end at most, and so long after the end of an outage that falls into that. */
    public static final Duration TOLERANCE = Duration.ofSeconds(1);

    private final List<Outage> all = new CopyOnWriteArrayList<>();

    /** Remembers one. */
    public void add(Instant from, Instant until) {
        log.info("outage from {} to {}", from, until);
        all.add(new Outage(from, until));
    }

    /** How much later than at once something was done that was due then: the time of outages does not count. */
    public Duration late(Instant due, Instant done) {
        Instant from = due;
        for (Outage outage :
                all.stream().sorted(Comparator.comparing(Outage::from)).toList()) {
            boolean hit = !outage.from().isAfter(from.plus(TOLERANCE))
                    && outage.until().isAfter(from);
            from = hit ? outage.until() : from;
        }
        return done.isBefore(from) ? Duration.ZERO : Duration.between(from, done);
    }

    private record Outage(Instant from, Instant until) {}
}
