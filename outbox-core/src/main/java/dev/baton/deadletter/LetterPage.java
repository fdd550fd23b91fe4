package dev.baton.deadletter;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Some letters, in the order of their deaths.
 *
 * @param next where the next page begins; null if this is the last
 */
public record LetterPage(
        List<StoredLetter> letters, @Nullable Cursor next) {
    /** Behind this letter; costs the same on the last page as on the first. */
    public record Cursor(Instant diedAt, UUID id) {}
}
