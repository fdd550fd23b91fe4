package dev.baton.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A letter as a store keeps it.
 *
 * @param id of the letter; stays through redrives and further deaths
 * @param letter as of its last death
 * @param state what was done about it
 * @param redrives how often it was sent back
 * @param group of letters with the same error, see {@link ErrorGroup}
 * @param history its deaths, the last one first, at most 10
 * @param buriedAt when the store got the last death, by its own clock
 * @param closedAt when it was sent back or discarded, by the store's clock; null while it is open
 * @param note why it was closed; null while it is open
 */
public record StoredLetter(
        UUID id,
        DeadLetter letter,
        LetterState state,
        int redrives,
        String group,
        List<Death> history,
        Instant buriedAt,
        @Nullable Instant closedAt,
        @Nullable String note) {}
