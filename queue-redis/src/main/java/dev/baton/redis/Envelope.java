package dev.baton.redis;

import dev.baton.failure.RetryPolicy;
import dev.baton.internal.Json;
import dev.baton.job.NewJob;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The third line of a job record, which never changes: one flat object of JSON, because most jobs have a name and two or
 * three headers.
 *
 * @param retry the job's own policy, or null
 */
record Envelope(
        String name, Map<String, String> headers, @Nullable RetryPolicy retry) {
    // No header can have a blank name, so these are free.
    private static final String NAME = "";
    private static final String RETRY = " ";

    static String toLine(NewJob job) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(NAME, job.name());
        RetryPolicy retry = job.options().retry();
        if (retry != null) {
            fields.put(RETRY, retry.toText());
        }
        fields.putAll(job.headers());
        return Json.write(fields);
    }

    /** Reads the line; any exception means that it is none. */
    static Envelope parse(String line) {
        Map<String, String> fields = Json.readStrings(line);
        String name = fields.remove(NAME);
        String retry = fields.remove(RETRY);
        return new Envelope(name == null ? "" : name, fields, retry == null ? null : RetryPolicy.parse(retry));
    }
}
