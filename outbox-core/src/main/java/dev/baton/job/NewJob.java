package dev.baton.job;

import static java.util.Objects.requireNonNull;

import dev.baton.failure.RetryPolicy;
import dev.baton.internal.Headers;
import dev.baton.internal.Ids;
import dev.baton.internal.Json;
import dev.baton.internal.Names;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A job to be enqueued.
 *
 * @param id unique among the live jobs of its queue; any text without control characters, at most 200 characters
 * @param name which handler runs it; the same holds for it
 * @param payload any text, usually JSON; it is never parsed on the way
 * @param headers what travels beside the payload; immutable
 * @param options when and in which order it may start
 */
public record NewJob(String id, String name, String payload, Map<String, String> headers, JobOptions options) {
    /** Bytes of a payload in UTF-8, at most, unless a queue allows more; an event has to fit into a job. */
    public static final int LARGEST_PAYLOAD = 256 * 1024;

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if the id, the name or a header's name is blank, too long or has control characters
     */
    public NewJob {
        Names.check("NewJob.id", id);
        Names.check("NewJob.name", name);
        requireNonNull(payload, "payload");
        requireNonNull(options, "options");
        headers = Headers.copy(headers);
    }

    /**
     * A job with a new id, without headers, to be started now.
     *
     * @param payload text as it is, if it is a {@link CharSequence}; anything else is written as JSON
     */
    public static NewJob of(String name, Object payload) {
        String text = payload instanceof CharSequence chars ? chars.toString() : Json.write(payload);
        return new NewJob(Ids.timeOrdered().toString(), name, text, Map.of(), JobOptions.DEFAULT);
    }

    /** The same job under this id. */
    public NewJob withId(String otherId) {
        return new NewJob(otherId, name, payload, headers, options);
    }

    /** The same job with these headers instead of its own. */
    public NewJob withHeaders(Map<String, String> others) {
        return new NewJob(id, name, payload, others, options);
    }

    /** The same job, to be started after this time; see {@link JobOptions#delay}. */
    public NewJob after(Duration wait) {
        return with(options.withDelay(wait));
    }

    /** The same job, to be started at this time; see {@link JobOptions#at}. */
    public NewJob at(Instant time) {
        return with(options.withAt(time));
    }

    /** The same job behind those with this key; see {@link JobOptions#orderingKey}. */
    public NewJob orderedBy(String key) {
        return with(options.withOrderingKey(key));
    }

    /** The same job with this priority; see {@link JobOptions#priority}. */
    public NewJob priority(int priority) {
        return with(options.withPriority(priority));
    }

    /** The same job, unless one with this unique id is alive; see {@link JobOptions#uniqueId}. */
    public NewJob unique(String uniqueId) {
        return with(options.withUniqueId(uniqueId));
    }

    /** The same job, tried as often as this says; see {@link JobOptions#retry}. */
    public NewJob retry(RetryPolicy policy) {
        return with(options.withRetry(policy));
    }

    /** Says which job it is, never what is in it. */
    @Override
    public String toString() {
        return "NewJob[" + name + " " + id + "]";
    }

    private NewJob with(JobOptions others) {
        return new NewJob(id, name, payload, headers, others);
    }
}
