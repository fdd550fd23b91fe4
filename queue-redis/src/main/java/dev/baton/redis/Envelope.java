package dev.baton.redis;

import dev.baton.failure.RetryPolicy;
import dev.baton.internal.Json;
import dev.baton.job.NewJob;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The third line of a job record, which never changes: the name, and behind a tab one flat object of JSON with the headers
 * and the policy. Most jobs have neither, or only two or three headers.
 *
 * @param retry the job's own policy, or null
 */
record Envelope(
        String name, Map<String, String> headers, @Nullable RetryPolicy retry) {
    // No header can have a blank name, so this is free.
    private static final String RETRY = "";

    static String toLine(NewJob job) {
        RetryPolicy retry = job.options().retry();
        if (retry == null && job.headers().isEmpty()) {
            return job.name();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        if (retry != null) {
            fields.put(RETRY, retry.toText());
        }
        fields.putAll(job.headers());
        return job.name() + "\t" + Json.write(fields);
    }

    /** Reads the line; any exception means that it is none. */
    static Envelope parse(String line) {
        int tab = line.indexOf('\t');
        if (tab < 0) {
            return new Envelope(line, Map.of(), null);
        }
        Map<String, String> fields = Json.readStrings(line.substring(tab + 1));
        String retry = fields.remove(RETRY);
        return new Envelope(line.substring(0, tab), fields, retry == null ? null : RetryPolicy.parse(retry));
    }
}
