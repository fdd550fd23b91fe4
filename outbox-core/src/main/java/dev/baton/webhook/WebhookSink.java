package dev.baton.webhook;

import dev.baton.failure.HttpFailures;
import dev.baton.failure.PermanentException;
import dev.baton.failure.RetryLaterException;
import dev.baton.failure.ThrottledException;
import dev.baton.internal.Bounds;
import dev.baton.internal.Names;
import dev.baton.job.JobOptions;
import dev.baton.relay.Delivery;
import dev.baton.relay.Sink;
import dev.baton.relay.SinkAnswer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Posts each event to a foreign service. The request carries {@code webhook-id} (the event's id, to recognise a repeat by),
 * {@code webhook-timestamp} (seconds since 1970) and {@code webhook-signature}: {@code v1,} and the Base64 of the HMAC-SHA256
 * over {@code id.timestamp.body}, as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> has it.
 *
 * <p>An answer of 2xx is an acceptance; any other one rejects this event alone. By the classes of {@link HttpFailures}: what is
 * permanent (such as 400, 410 or 422) makes a dead letter at once; the others are tried again with the relay's backoff, and not
 * before their {@code Retry-After}. So is what says more of the endpoint than of the event (401, 403, 404, 405, 407), because that
 * may be mended. If nobody answers, or all of several are told to come later (429, 503), the sink counts as away: the
 * relay keeps everything in place and tries again. A slow service takes the time of its relay's turns, so give webhooks a relay
 * of their own, with topics of their own; or a queue in between.
 *
 * <p>Each event is sent at once, and the relay's own backoff repeats it: a route with a delay, an ordering key, a priority or a
 * retry policy is refused when the routes are built, and an event with a {@code notBefore} is refused by the relay rather than
 * sent early. A queue in between keeps them.
 *
 * <p><b>Delivery.</b> At least once.
 *
 * <p><b>Threads.</b> Thread-safe. Up to {@value #AT_ONCE} requests at a time.
 */
public final class WebhookSink implements Sink {
    private static final int AT_ONCE = 16;
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]*)?");
    private static final Set<Integer> OF_THE_ENDPOINT = Set.of(401, 403, 404, 405, 407);
    private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(3);

    private final String name;
    private final URI target;
    private final Signature signature;
    private final Duration timeout;
    private final HttpClient client;

    private WebhookSink(String name, URI target, Signature signature, Duration timeout) {
        this.name = name;
        this.target = target;
        this.signature = signature;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder().connectTimeout(timeout).build();
    }

    /**
     * A sink with a timeout of two seconds.
     *
     * @param name for logs, and for the relay to tell it from others
     * @param target {@code http} or {@code https}
     * @param secret shared with the receiver; at least 16 bytes
     * @throws IllegalArgumentException if one of them is not so
     */
    public static WebhookSink to(String name, URI target, byte[] secret) {
        if (!"http".equals(target.getScheme()) && !"https".equals(target.getScheme())) {
            throw new IllegalArgumentException("the target of webhook " + name + " has the scheme " + target.getScheme()
                    + "; it must be http or https");
        }
        return new WebhookSink(
                Names.check("WebhookSink.name", name), target, new Signature(secret), Duration.ofSeconds(2));
    }

    /**
     * The same with another timeout, to connect and for an answer.
     *
     * @throws IllegalArgumentException if it is not between 1 ms and 3 s: the relay's transaction waits for it
     */
    public WebhookSink timeout(Duration longest) {
        Bounds.between("the timeout of webhook " + name, longest, Duration.ofMillis(1), LONGEST_TIMEOUT);
        return new WebhookSink(name, target, signature, longest);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int largestBatch() {
        return 2 * AT_ONCE;
    }

    @Override
    public @Nullable String objection(JobOptions options) {
        if (!options.delay().isZero()) {
            return "a webhook sends at once and keeps no delay; give it a queue in between";
        } else if (options.orderingKey() != null || options.priority() != 0 || options.retry() != null) {
            return "a webhook knows no ordering key, priority or retry policy; give it a queue in between";
        }
        return null;
    }

    @Override
    public @Nullable String objection(Delivery delivery) {
        return delivery.options().at() == null
                ? null
                : "a webhook sends at once and keeps no notBefore; give it a queue in between";
    }

    /**
     * {@inheritDoc} Events of one aggregate in one call are sent one after the other.
     *
     * @throws RuntimeException if the service is away
     */
    @Override
    public List<SinkAnswer> accept(List<Delivery> deliveries) {
        List<Outcome> outcomes = new ArrayList<>(deliveries.size());
        for (int from = 0; from < deliveries.size(); from += AT_ONCE) {
            List<CompletableFuture<Outcome>> sent = new ArrayList<>();
            for (Delivery delivery : deliveries.subList(from, Math.min(deliveries.size(), from + AT_ONCE))) {
                sent.add(after(sent, deliveries, from, delivery));
            }
            sent.forEach(future -> outcomes.add(future.join()));
        }
        checkAnswered(outcomes);
        return outcomes.stream().map(Outcome::answer).toList();
    }

    /** Sends it, once the one before it of the same aggregate has been answered. */
    private CompletableFuture<Outcome> after(
            List<CompletableFuture<Outcome>> sent, List<Delivery> all, int from, Delivery delivery) {
        for (int i = sent.size() - 1; i >= 0; i--) {
            if (all.get(from + i).event().aggregateId().equals(delivery.event().aggregateId())) {
                return sent.get(i).thenCompose(before -> send(delivery));
            }
        }
        return send(delivery);
    }

    private CompletableFuture<Outcome> send(Delivery delivery) {
        String id = delivery.event().id().toString();
        long timestamp = Instant.now().getEpochSecond();
        HttpRequest.Builder request = HttpRequest.newBuilder(target)
                .timeout(timeout)
                .header("content-type", "application/json")
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(timestamp))
                .header("webhook-signature", signature.of(id, timestamp, delivery.payload()))
                .POST(BodyPublishers.ofString(delivery.payload()));
        String trace = delivery.event().headers().get("traceparent");
        // By W3C Trace Context section 3.2 one of another form is as good as none.
        if (trace != null && TRACEPARENT.matcher(trace).matches()) {
            request.header("traceparent", trace);
        }
        return client.sendAsync(request.build(), BodyHandlers.discarding())
                .thenApply(response -> answered(delivery, response))
                .exceptionally(Outcome::unanswered);
    }

    private Outcome answered(Delivery delivery, HttpResponse<Void> response) {
        int status = response.statusCode();
        if (status / 100 == 2) {
            return new Outcome(SinkAnswer.ACCEPTED, null, false);
        }
        String retryAfter = response.headers().firstValue("retry-after").orElse(null);
        RuntimeException failure = HttpFailures.of(status, retryAfter, Instant.now(), name + " " + delivery.jobName());
        boolean later = (status == 429 || status == 503) && !(failure instanceof PermanentException);
        SinkAnswer.Rejected no = new SinkAnswer.Rejected("HTTP " + status, forGood(status, failure), delay(failure));
        return new Outcome(no, failure, later);
    }

    private static boolean forGood(int status, RuntimeException failure) {
        return failure instanceof PermanentException && !OF_THE_ENDPOINT.contains(status);
    }

    private static Duration delay(RuntimeException failure) {
        if (failure instanceof RetryLaterException later) {
            return later.delay();
        }
        return failure instanceof ThrottledException throttled ? throttled.retryAfter() : Duration.ZERO;
    }

    /** One that is told to come later may be at fault itself; if all of several are, the service is. */
    private static void checkAnswered(List<Outcome> outcomes) {
        boolean nobody = !outcomes.isEmpty() && outcomes.stream().allMatch(Outcome::away);
        boolean silent = nobody && outcomes.stream().anyMatch(Outcome::silent);
        if (nobody && (silent || outcomes.size() > 1)) {
            RuntimeException failure = outcomes.get(0).failure();
            throw failure == null ? new IllegalStateException("no answer") : failure;
        }
    }

    /** What became of one request; {@code away} if it says nothing about the event. */
    private record Outcome(SinkAnswer answer, @Nullable RuntimeException failure, boolean away) {
        private static Outcome unanswered(Throwable failed) {
            Throwable cause =
                    failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
            String reason = "no answer (" + cause.getClass().getSimpleName() + ")";
            return new Outcome(new SinkAnswer.Rejected(reason), new IllegalStateException(reason, cause), true);
        }

        private boolean silent() {
            return failure instanceof IllegalStateException;
        }
    }
}
