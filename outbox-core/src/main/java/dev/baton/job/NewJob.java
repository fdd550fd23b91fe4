package dev.baton.job;

import static java.util.Objects.requireNonNull;

import dev.baton.internal.Headers;
import dev.baton.internal.Ids;
import dev.baton.internal.Json;
import dev.baton.internal.Names;
import java.time.Duration;
import java.util.Map;

/**
 * A job to be enqueued.
 *
 * @param id unique among the live jobs of its queue; any text without control characters, at most 200 characters
 * @param name which handler runs it; the same holds for it
 * @param payload any text, usually JSON; it is never parsed on the way
 * @param headers what travels beside the payload; immutable
 * @param delay how long it waits before it may start, in milliseconds of the store's clock; zero or less starts it now
 */
public record NewJob(String id, String name, String payload, Map<String, String> headers, Duration delay) {
    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if the id, the name or a header's name is blank, too long or has control characters
     */
    public NewJob {
        Names.check("NewJob.id", id);
        Names.check("NewJob.name", name);
        requireNonNull(payload, "payload");
        requireNonNull(delay, "delay");
        headers = Headers.copy(headers);
    }

    /**
     * A job with a new id, without headers, to be started now.
     *
     * @param payload text as it is, if it is a {@link CharSequence}; anything else is written as JSON
     */
    public static NewJob of(String name, Object payload) {
        String text = payload instanceof CharSequence chars ? chars.toString() : Json.write(payload);
        return new NewJob(Ids.timeOrdered().toString(), name, text, Map.of(), Duration.ZERO);
    }

    /** The same job under this id. */
    public NewJob withId(String otherId) {
        return new NewJob(otherId, name, payload, headers, delay);
    }

    /** The same job with these headers instead of its own. */
    public NewJob withHeaders(Map<String, String> others) {
        return new NewJob(id, name, payload, others, delay);
    }

    /** The same job, to be started after this time. */
    public NewJob after(Duration wait) {
        return new NewJob(id, name, payload, headers, wait);
    }

    /** Says which job it is, never what is in it. */
    @Override
    public String toString() {
        return "NewJob[" + name + " " + id + "]";
    }
}
