package dev.baton.relay;

import dev.baton.deadletter.RedriveOrder;
import dev.baton.outbox.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Which targets the events of a topic have. Immutable.
 *
 * <p>With an enum of topics and a {@code switch} expression a forgotten topic does not compile:
 *
 * <pre>{@code
 * Routes.of(ShopTopic.class, topic -> switch (topic) {
 *     case ORDER_PLACED -> List.of(Route.to(payments, "capture-payment"), Route.to(notifications, "order-confirmation"));
 *     case PAYMENT_CAPTURED -> List.of(Route.to(shipping, "create-shipment"), Route.to(loyalty, "award-points"));
 * });
 * }</pre>
 */
public final class Routes {
    private final Map<String, List<Route>> byTopic;
    private final Set<String> passing;

    private Routes(Map<String, List<Route>> byTopic, Set<String> passing) {
        this.byTopic = byTopic;
        this.passing = passing;
        byTopic.forEach(Routes::check);
        checkSinks();
    }

    /**
     * A complete table over an enum.
     *
     * @throws IllegalArgumentException if a topic has no target; or two targets in one sink: a job's id is its event's
     *     id, so the second would be taken for a duplicate of the first, give one of them a sink of its own; or if a sink
     *     cannot keep what a route asks for, such as a delay
     */
    public static <T extends Enum<T> & Topic> Routes of(Class<T> topics, Function<T, List<Route>> routes) {
        Builder builder = builder();
        for (T topic : topics.getEnumConstants()) {
            builder.route(topic.topicName(), routes.apply(topic).toArray(Route[]::new));
        }
        return builder.build();
    }

    /** A table built at run time, checked by {@link Builder#build}. */
    public static Builder builder() {
        return new Builder();
    }

    /** The topics that have a route. */
    public Set<String> topics() {
        return byTopic.keySet();
    }

    /** All sinks, each once. */
    public Set<Sink> sinks() {
        Set<Sink> sinks = new LinkedHashSet<>();
        byTopic.values().forEach(routes -> routes.forEach(route -> sinks.add(route.sink())));
        return sinks;
    }

    /**
     * The same table, but later events of an aggregate pass an event of these topics that was refused. By default they wait
     * until it is accepted or a dead letter, which keeps their order.
     *
     * @throws IllegalArgumentException if a topic has no route
     */
    public Routes letOthersPass(String... topics) {
        Set<String> all = new LinkedHashSet<>(passing);
        for (String topic : topics) {
            if (!byTopic.containsKey(topic)) {
                throw new IllegalArgumentException("topic " + topic + " has no route; there are " + byTopic.keySet());
            }
            all.add(topic);
        }
        return new Routes(byTopic, all);
    }

    /**
     * The same table and a way back: a dead job of any of its targets can be sent back to where it died. It keeps the
     * payload that it had there, whatever its route makes of an event.
     */
    public Routes redrivable() {
        Map<String, List<Route>> all = new LinkedHashMap<>(byTopic);
        byTopic.values()
                .forEach(routes -> routes.forEach(route -> all.putIfAbsent(
                        RedriveOrder.topic(route.sink().name(), route.jobName()),
                        List.of(Route.to(route.sink(), route.jobName())))));
        return new Routes(Collections.unmodifiableMap(all), passing);
    }

    List<Route> of(String topic) {
        return byTopic.getOrDefault(topic, List.of());
    }

    boolean othersWait(String topic) {
        return !passing.contains(topic);
    }

    /** The topics that go to a sink. */
    Set<String> topicsOf(Sink sink) {
        Set<String> topics = new LinkedHashSet<>();
        byTopic.forEach((topic, routes) -> {
            if (routes.stream().anyMatch(route -> route.sink().equals(sink))) {
                topics.add(topic);
            }
        });
        return topics;
    }

    /** An event must be retained until its jobs are done or dead letters, or what a queue lost of them stays lost. */
    void checkRetention(Duration retention) {
        byTopic.forEach((topic, routes) -> routes.forEach(route -> {
            Duration least = route.lastAttempt();
            if (retention.compareTo(least) < 0) {
                throw new IllegalArgumentException("retention is " + retention + ", but " + route.jobName()
                        + " of topic "
                        + topic + " may make its last attempt " + least + " after its event (delay and retry policy of"
                        + " the route); what a queue loses until then could not be handed over again: raise the"
                        + " retention, or shorten those");
            }
        }));
    }

    private void checkSinks() {
        Map<String, Sink> byName = new LinkedHashMap<>();
        for (Sink sink : sinks()) {
            if (byName.put(sink.name(), sink) != null) {
                throw new IllegalArgumentException("two sinks have the name " + sink.name()
                        + "; use one object for one queue, and another name for another sink");
            }
        }
    }

    private static void check(String topic, List<Route> routes) {
        if (routes.isEmpty()) {
            throw new IllegalArgumentException("topic " + topic + " has no target; its events would never leave");
        }
        Set<String> names = new LinkedHashSet<>();
        for (Route route : routes) {
            if (!names.add(route.sink().name())) {
                throw new IllegalArgumentException(
                        "topic " + topic + " has two targets in " + route.sink().name()
                                + "; both jobs would have the event's id, so give one of them a queue of its own");
            }
            String objection = route.sink().objection(route.options());
            if (objection != null) {
                throw new IllegalArgumentException("the route of topic " + topic + " to "
                        + route.sink().name() + " asks for too much: " + objection);
            }
        }
    }

    /** Collects routes. Not thread-safe. */
    public static final class Builder {
        private final Map<String, List<Route>> byTopic = new LinkedHashMap<>();

        private Builder() {}

        /** Adds targets to a topic. */
        public Builder route(String topic, Route... routes) {
            byTopic.computeIfAbsent(topic, t -> new ArrayList<>()).addAll(List.of(routes));
            return this;
        }

        /** Adds one target: {@code route("order.placed", payments, "capture-payment")}. */
        public Builder route(String topic, Sink sink, String jobName) {
            return route(topic, Route.to(sink, jobName));
        }

        /**
         * The finished table.
         *
         * @throws IllegalArgumentException as {@link Routes#of(Class, Function)}
         */
        public Routes build() {
            Map<String, List<Route>> copy = new LinkedHashMap<>();
            byTopic.forEach((topic, routes) -> copy.put(topic, List.copyOf(routes)));
            return new Routes(Collections.unmodifiableMap(copy), Set.of());
        }
    }
}
