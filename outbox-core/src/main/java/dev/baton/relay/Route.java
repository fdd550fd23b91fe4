package dev.baton.relay;

import static java.util.Objects.requireNonNull;

import dev.baton.deadletter.PlaceHeaders;
import dev.baton.failure.RetryPolicy;
import dev.baton.internal.Json;
import dev.baton.internal.Names;
import dev.baton.job.JobOptions;
import dev.baton.outbox.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One target of a topic: {@code Route.to(payments, "capture-payment").orderedBy(Event::aggregateId)}. Immutable.
 */
public final class Route {
    private final Sink sink;
    private final String jobName;
    private final Function<Event, ?> payload;
    private final @Nullable Function<Event, @Nullable String> key;
    private final Predicate<Event> when;
    private final @Nullable Function<Event, @Nullable RetryPolicy> retry;
    private final JobOptions options;

    private Route(
            Sink sink,
            String jobName,
            Function<Event, ?> payload,
            @Nullable Function<Event, @Nullable String> key,
            Predicate<Event> when,
            @Nullable Function<Event, @Nullable RetryPolicy> retry,
            JobOptions options) {
        this.sink = requireNonNull(sink, "sink");
        this.jobName = Names.check("Route.jobName to " + sink.name(), jobName);
        this.payload = payload;
        this.key = key;
        this.when = when;
        this.retry = retry;
        this.options = options;
    }

    /**
     * Reads as a sentence: {@code Route.to(payments, "capture-payment")}.
     *
     * @param sink where the event goes, usually a queue
     * @param jobName which handler runs there
     * @throws IllegalArgumentException if the job name is blank, has more than 200 characters or a control character
     */
    public static Route to(Sink sink, String jobName) {
        return new Route(sink, jobName, Event::payload, null, event -> true, null, JobOptions.DEFAULT);
    }

    /**
     * Its jobs carry this instead of the event's payload: text as it is, anything else as JSON. An event that the function
     * throws at is refused, tried again and ends as a dead letter.
     */
    public Route payload(Function<Event, ?> mapping) {
        return new Route(sink, jobName, mapping, key, when, retry, options);
    }

    /** Jobs with the same key run one at a time, in order; null for none. */
    public Route orderedBy(Function<Event, @Nullable String> orderingKey) {
        return new Route(sink, jobName, payload, orderingKey, when, retry, options);
    }

    /**
     * Only events for which this holds go there. It must say the same of an event each time it is asked: what a queue lost
     * is found again by it. An event for which no route of its topic holds is published and goes nowhere.
     */
    public Route when(Predicate<Event> condition) {
        return new Route(sink, jobName, payload, key, condition, retry, options);
    }

    /**
     * Its jobs have this priority.
     *
     * @throws IllegalArgumentException if it is not between 0 and 9
     */
    public Route priority(int priority) {
        return with(new JobOptions(options.delay(), null, null, priority, null, options.retry()));
    }

    /** Its jobs wait so long before they may start, after the event's {@code notBefore} if it has one. */
    public Route delay(Duration delay) {
        return with(new JobOptions(delay, null, null, options.priority(), null, options.retry()));
    }

    /**
     * Its jobs are tried as often as this says.
     *
     * @throws IllegalArgumentException if the backoff is code of one's own
     */
    public Route retry(RetryPolicy policy) {
        JobOptions others = new JobOptions(options.delay(), null, null, options.priority(), null, policy);
        return new Route(sink, jobName, payload, key, when, null, others);
    }

    /**
     * The job of each event is tried as often as this says of it, such as what was agreed with the supplier that the event is
     * about; null for the worker's policy. An event that the function throws at, or for which it gives a backoff that is code
     * of one's own, is refused, tried again and ends as a dead letter.
     */
    public Route retryBy(Function<Event, @Nullable RetryPolicy> policies) {
        return new Route(sink, jobName, payload, key, when, policies, options);
    }

    /** Where the event goes. */
    public Sink sink() {
        return sink;
    }

    /** Which handler runs there. */
    public String jobName() {
        return jobName;
    }

    /** What its jobs are to have, whatever the event. */
    JobOptions options() {
        return key == null
                ? options
                : new JobOptions(options.delay(), null, "any", options.priority(), null, options.retry());
    }

    /** How long after its event the last attempt may be made, as far as the route says. */
    Duration lastAttempt() {
        RetryPolicy policy = options.retry();
        return policy == null
                ? options.delay()
                : options.delay().plus(policy.horizon().worst());
    }

    /** Whether the event goes there; whatever the caller's function throws. */
    boolean takes(Event event) {
        return when.test(event);
    }

    /** What the route makes of an event; whatever the caller's functions throw. */
    Delivery delivery(Event event) {
        Object mapped = requireNonNull(payload.apply(event), "the mapped payload");
        String text = mapped instanceof CharSequence chars ? chars.toString() : Json.write(mapped);
        String orderingKey = key == null ? null : key.apply(event);
        Instant notBefore = event.notBefore();
        RetryPolicy policy = retry == null ? options.retry() : retry.apply(event);
        if (notBefore == null && orderingKey == null && retry == null) {
            return new Delivery(event, jobName, text, PlaceHeaders.applied(event.headers(), options));
        }
        JobOptions own = new JobOptions(
                notBefore == null ? options.delay() : Duration.ZERO,
                notBefore == null ? null : notBefore.plus(options.delay()),
                orderingKey,
                options.priority(),
                null,
                policy);
        return new Delivery(event, jobName, text, PlaceHeaders.applied(event.headers(), own));
    }

    private Route with(JobOptions others) {
        return new Route(sink, jobName, payload, key, when, retry, others);
    }
}
