package dev.baton.deadletter;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A store whose letters can be looked at and dealt with.
 *
 * <p><b>Delivery.</b> A change of many letters is one transaction per batch: after a crash each of them is either as it was, or
 * changed and in its audit trail. A redrive, a discard and an import leave an entry there, which stays when the letter is purged;
 * deaths are in the letter's own history.
 *
 * <p><b>Threads.</b> Thread-safe.
 */
public interface DeadLetterArchive extends DeadLetterStore {
    /** The letter with this id. */
    Optional<StoredLetter> find(UUID id);

    /**
     * Letters in the order of their deaths. A page takes the same time however many letters there are, if they are looked for by
     * state and one more part of the filter; with two more parts it takes longer the more letters have the one but not the other.
     *
     * @param after the {@code next} of the page before, or null for the first page
     * @param limit at most so many, 1 to 1,000
     */
    LetterPage list(LetterFilter filter, LetterPage.@Nullable Cursor after, int limit);

    /** How many there are. */
    long count(LetterFilter filter);

    /**
     * The groups that the letters fall into, the largest first. Reads all letters of the filter.
     *
     * @param limit at most so many, 1 to 1,000
     */
    List<LetterGroup> groups(LetterFilter filter, int limit);

    /**
     * Gives open letters up, in batches of their own; those that are buried meanwhile are left.
     *
     * @param by who decided that
     * @param why not blank
     * @return how many were open
     */
    int discard(LetterFilter filter, String by, String why);

    /** What was done with a letter, the first thing first. */
    List<AuditEntry> audit(UUID letter);

    /**
     * Writes letters as NDJSON, one per line, in pages: a letter that dies meanwhile may or may not be among them.
     *
     * @return how many
     */
    long exportTo(Appendable out, LetterFilter filter) throws IOException;

    /**
     * Reads what {@link #exportTo} wrote. A letter whose id, or whose queue and message, is known already is left as it is
     * here, so reading twice is harmless.
     *
     * @return how many were new
     * @throws IllegalArgumentException if a line is no letter; the message names the line, and the whole lines before it
     *     may have been read
     */
    long importFrom(BufferedReader in, String by) throws IOException;

    /** The same for all letters. */
    default PurgeReport purge(Duration retention) {
        return purge(LetterFilter.ALL, retention);
    }

    /**
     * Deletes closed letters. Open ones are never deleted, however old: how many of them are older is reported.
     *
     * @param which of all letters, such as those of one queue
     * @param retention since they were closed; not negative, at most 36,500 days
     */
    PurgeReport purge(LetterFilter which, Duration retention);

    /**
     * What a purge did.
     *
     * @param deleted closed letters that are gone
     * @param openAndOlder open letters that died longer ago than the retention and still wait for somebody
     */
    record PurgeReport(long deleted, long openAndOlder) {}
}
