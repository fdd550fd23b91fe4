package dev.baton.deadletter;

import dev.baton.failure.RetryPolicy;
import dev.baton.job.JobOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ordering key, priority and retry policy of a dead job as headers of its letter, so that it has them again when it is sent
 * back. Its unique id is not among them: that would make it a duplicate if another job has the id by then.
 */
public final class PlaceHeaders {
    private static final String ORDERING_KEY = "baton.ordering-key";
    private static final String PRIORITY = "baton.priority";
    private static final String RETRY = "baton.retry";

    private PlaceHeaders() {}

    /**
     * These headers and those of the place; what the place does not have is not among them.
     *
     * @param orderingKey empty if it has none
     */
    public static Map<String, String> with(
            Map<String, String> headers, String orderingKey, int priority, @Nullable RetryPolicy retry) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        put(all, ORDERING_KEY, orderingKey);
        put(all, PRIORITY, priority == 0 ? "" : Integer.toString(priority));
        put(all, RETRY, retry == null ? "" : retry.toText());
        return all;
    }

    /**
     * These options, but with what the headers say.
     *
     * @throws IllegalArgumentException if a header of that name says nothing that can be read
     */
    public static JobOptions applied(Map<String, String> headers, JobOptions options) {
        String key = headers.get(ORDERING_KEY);
        String priority = headers.get(PRIORITY);
        String retry = headers.get(RETRY);
        if (key == null && priority == null && retry == null) {
            return options;
        }
        return new JobOptions(
                options.delay(),
                options.at(),
                key == null ? options.orderingKey() : key,
                priority == null ? options.priority() : Integer.parseInt(priority),
                options.uniqueId(),
                retry == null ? options.retry() : RetryPolicy.parse(retry));
    }

    private static void put(Map<String, String> headers, String name, String value) {
        if (value.isEmpty()) {
            headers.remove(name);
        } else {
            headers.put(name, value);
        }
    }
}
