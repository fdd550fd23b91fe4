package dev.baton.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Letters with the same error.
 *
 * @param group for {@link LetterFilter#group(String)}
 * @param errorClass class of the failure, or null
 * @param error the message of one of them
 * @param count how many
 * @param first when the first of them died
 * @param last when the last of them died
 */
public record LetterGroup(
        String group,
        String jobName,
        @Nullable String errorClass,
        String error,
        long count,
        Instant first,
        Instant last) {}
