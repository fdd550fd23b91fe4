package dev.baton.redis;

import dev.baton.internal.Json;
import dev.baton.job.Job;
import dev.baton.job.NewJob;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A job as it stands in Redis, in the four parts that {@code job.lua} describes. The payload comes last and as it is, so
 * nothing on the way parses or escapes it.
 *
 * @param starts that have ended
 * @param attempts that are used up
 * @param firstFailureAt in ms since 1970, or 0 if it has not failed
 * @param lastFailure as {@link LastFailure} wrote it; empty if there is none
 */
record JobRecord(
        String id,
        int starts,
        int attempts,
        long enqueuedAt,
        long firstFailureAt,
        String lastFailure,
        String name,
        Map<String, String> headers,
        String payload) {
    /** Among the headers' names no other can be empty, so this one holds the job's name. */
    private static final String NAME = "";

    /** The part of the record that never changes: name and headers, then the payload. */
    static String body(NewJob job) {
        Map<String, String> first = new LinkedHashMap<>();
        first.put(NAME, job.name());
        first.putAll(job.headers());
        return Json.write(first) + "\n" + job.payload();
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if the text is no job record; the message holds none of it
     */
    static JobRecord parse(String id, String text) {
        String[] parts = text.split("\n", 4);
        String[] head = parts[0].split(" ", -1);
        if (parts.length != 4 || head.length != 4) {
            throw new IllegalArgumentException("job " + id + " has a record that this version cannot read");
        }
        try {
            Map<String, String> headers = Json.readStrings(parts[2]);
            String name = headers.remove(NAME);
            return new JobRecord(
                    id,
                    Integer.parseInt(head[0]),
                    Integer.parseInt(head[1]),
                    Long.parseLong(head[2]),
                    Long.parseLong(head[3]),
                    parts[1],
                    name == null ? "" : name,
                    headers,
                    parts[3]);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("job " + id + " has a record that this version cannot read ("
                    + e.getClass().getSimpleName() + ")");
        }
    }

    /** The start and the attempt that begin now. */
    Job toJob(String queue) {
        return new Job(queue, id, name, payload, headers, Instant.ofEpochMilli(enqueuedAt), starts + 1, attempts + 1);
    }
}
