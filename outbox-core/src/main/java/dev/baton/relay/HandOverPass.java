package dev.baton.relay;

import dev.baton.internal.Pass;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxStore;
import dev.baton.outbox.OutboxStore.PassResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pass of the relay: a batch, grouped so that each sink is called once. */
final class HandOverPass implements Pass {
    private static final Logger log = LoggerFactory.getLogger(HandOverPass.class);

    private final OutboxStore store;
    private final Routes routes;
    private final int batchSize;
    private final Duration pollInterval;

    HandOverPass(OutboxStore store, Routes routes, int batchSize, Duration pollInterval) {
        this.store = store;
        this.routes = routes;
        this.batchSize = batchSize;
        this.pollInterval = pollInterval;
    }

    @Override
    public Duration run() {
        PassResult result = runOnce();
        // A full batch that made progress means that there may be more. One that published nothing does not: it would
        // spin on events that a sink rejects.
        boolean more = result.read() == batchSize && result.published() > 0;
        return more ? Duration.ZERO : pollInterval;
    }

    PassResult runOnce() {
        return store.pass(routes.topics(), batchSize, this::handOver);
    }

    private Collection<UUID> handOver(List<Event> events) {
        Set<UUID> held = new HashSet<>();
        Map<Sink, List<Delivery>> bySink = new LinkedHashMap<>();
        for (Event event : events) {
            held.add(event.id());
            for (Route route : routes.of(event.topic())) {
                bySink.computeIfAbsent(route.sink(), s -> new ArrayList<>()).add(new Delivery(event, route.jobName()));
            }
        }
        bySink.forEach((sink, deliveries) -> held.removeAll(rejected(sink, deliveries)));
        return held;
    }

    private static Set<UUID> rejected(Sink sink, List<Delivery> deliveries) {
        List<SinkAnswer> answers = sink.accept(deliveries);
        if (answers.size() != deliveries.size()) {
            throw new IllegalStateException("sink " + sink.name() + " gave " + answers.size() + " answers to "
                    + deliveries.size() + " deliveries; it must give one each");
        }
        Set<UUID> rejected = new HashSet<>();
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof SinkAnswer.Rejected no) {
                Event event = deliveries.get(i).event();
                rejected.add(event.id());
                log.warn("{} rejected {}: {}; it stays in the outbox", sink.name(), event, no.reason());
            }
        }
        return rejected;
    }
}
