package dev.baton.relay;

import dev.baton.outbox.OutboxShard.Published;
import dev.baton.outbox.OutboxShard.Turn;
import dev.baton.outbox.OutboxStore.Joined;
import dev.baton.outbox.OutboxStore.Target;
import dev.baton.outbox.StoredEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What queues lost, by their memory and by what is published: the events that were published after what a queue has completely, and
 * after a route to it existed. One thread.
 */
final class Losses {
    /** That are looked through in a step. */
    static final int ROWS = 2_000;

    private final Routes routes;
    private final Sorter sorter;
    private final Joined joined;
    private final Memories memories;
    private final BatchSize stepSize = new BatchSize(ROWS);

    Losses(Routes routes, Sorter sorter, Joined joined, Memories memories) {
        this.routes = routes;
        this.sorter = sorter;
        this.joined = joined;
        this.memories = memories;
    }

    /** The next step for the first queue that lacks something. */
    Optional<Loss> first(Turn turn) {
        for (ExactSink sink : memories.sinks()) {
            Set<String> topics = routes.topicsOf(sink);
            long after = Math.max(memories.of(sink).complete(), since(sink, topics));
            Published published = turn.published(after, topics, stepSize.next());
            stepSize.was(published.events());
            Loss loss = new Loss(sink, missing(sink, published.events()), published.upTo(), published.more());
            if (loss.more() || !loss.missing().isEmpty()) {
                return Optional.of(loss);
            }
        }
        return Optional.empty();
    }

    List<Delivery> deliveries(Loss loss) {
        // What was accepted once and cannot be mapped now stops nothing; the sorter has said so.
        List<Delivery> deliveries = new ArrayList<>();
        for (StoredEvent event : loss.missing()) {
            for (Route route : routes.of(event.topic())) {
                if (route.sink().equals(loss.sink())) {
                    sorter.deliver(event, route).ifPresent(deliveries::add);
                }
            }
        }
        return deliveries;
    }

    /** Nothing came of the last step. */
    void failed() {
        stepSize.failed();
    }

    /** Without what was published before the route existed. */
    private List<StoredEvent> missing(ExactSink sink, List<StoredEvent> published) {
        return published.stream()
                .filter(event -> event.batch() > since(event.topic(), sink))
                .toList();
    }

    private long since(ExactSink sink, Set<String> topics) {
        return topics.stream().mapToLong(topic -> since(topic, sink)).min().orElse(Long.MAX_VALUE);
    }

    private long since(String topic, Sink sink) {
        return joined.since().getOrDefault(new Target(topic, sink.name()), Long.MAX_VALUE);
    }

    /**
     * A step.
     *
     * @param missing what the queue lacks of it, in order; may be none
     * @param upTo the number of the last batch that was looked at, if there is more
     */
    record Loss(ExactSink sink, List<StoredEvent> missing, long upTo, boolean more) {}
}
