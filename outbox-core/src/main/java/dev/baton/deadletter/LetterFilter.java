package dev.baton.deadletter;

import dev.baton.failure.DeathReason;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which letters. Every part that is not null must hold; {@link #ALL} has none.
 *
 * @param ids these alone
 * @param diedFrom at or after this moment, by the queue's clock
 * @param diedBefore before this moment
 */
public record LetterFilter(
        @Nullable List<UUID> ids,
        @Nullable LetterState state,
        @Nullable String queue,
        @Nullable String jobName,
        @Nullable DeathReason reason,
        @Nullable String errorClass,
        @Nullable String group,
        @Nullable Instant diedFrom,
        @Nullable Instant diedBefore) {
    /** All letters. */
    public static final LetterFilter ALL = new LetterFilter(null, null, null, null, null, null, null, null, null);

    /** All open letters. */
    public static final LetterFilter OPEN = ALL.state(LetterState.OPEN);

    /** Those with these ids. */
    public static LetterFilter ids(UUID... these) {
        return new LetterFilter(List.of(these), null, null, null, null, null, null, null, null);
    }

    /** Also in this state. */
    public LetterFilter state(LetterState is) {
        return new LetterFilter(ids, is, queue, jobName, reason, errorClass, group, diedFrom, diedBefore);
    }

    /** Also from this queue. */
    public LetterFilter queue(String name) {
        return new LetterFilter(ids, state, name, jobName, reason, errorClass, group, diedFrom, diedBefore);
    }

    /** Also of this job name. */
    public LetterFilter jobName(String name) {
        return new LetterFilter(ids, state, queue, name, reason, errorClass, group, diedFrom, diedBefore);
    }

    /** Also dead for this reason. */
    public LetterFilter reason(DeathReason why) {
        return new LetterFilter(ids, state, queue, jobName, why, errorClass, group, diedFrom, diedBefore);
    }

    /** Also with a last failure of this class. */
    public LetterFilter errorClass(String name) {
        return new LetterFilter(ids, state, queue, jobName, reason, name, group, diedFrom, diedBefore);
    }

    /** Also of this group. */
    public LetterFilter group(String name) {
        return new LetterFilter(ids, state, queue, jobName, reason, errorClass, name, diedFrom, diedBefore);
    }

    /** Also dead in this time. */
    public LetterFilter died(@Nullable Instant from, @Nullable Instant before) {
        return new LetterFilter(ids, state, queue, jobName, reason, errorClass, group, from, before);
    }
}
