package dev.baton.job;

import dev.baton.failure.PermanentException;
import dev.baton.internal.Json;
import java.time.Instant;
import java.util.Map;

/**
 * A job in the hands of its handler.
 *
 * @param queue the queue it came from
 * @param id unique among the live jobs of the queue; for a relayed event it is the event's id
 * @param name which handler runs it
 * @param payload as it was enqueued
 * @param headers as they were enqueued
 * @param enqueuedAt by the store's clock
 * @param start number of this start, the first being 1
 * @param attempt number of this attempt, the first being 1; a start that ended in a postponement, a throttling or a
 *     graceful stop leaves it as it was
 */
public record Job(
        String queue,
        String id,
        String name,
        String payload,
        Map<String, String> headers,
        Instant enqueuedAt,
        int start,
        int attempt) {

    /** The header in which a dead job that is sent back carries the id of its message. */
    public static final String MESSAGE_ID = "baton.message-id";

    /**
     * The id of the message: the job's id, or if it died and was sent back the id that it had at first. Guard by this one:
     * an effect that was applied before the death is not applied again after it.
     */
    public String messageId() {
        return headers.getOrDefault(MESSAGE_ID, id);
    }

    /**
     * The payload read as JSON.
     *
     * @throws PermanentException if it is not JSON of that type: it will not become so by trying again
     */
    public <T> T payload(Class<T> type) {
        try {
            return Json.read(payload, type);
        } catch (IllegalArgumentException e) {
            throw new PermanentException("the payload of " + name + " " + id + " is " + e.getMessage());
        }
    }

    /** Says which job it is, never what is in it. */
    @Override
    public String toString() {
        return "Job[" + queue + "/" + name + " " + id + " start " + start + " attempt " + attempt + "]";
    }
}
