package dev.baton.redis;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterStore;
import dev.baton.deadletter.PlaceHeaders;
import dev.baton.failure.DeathReason;
import dev.baton.internal.Pass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries dead jobs to the dead-letter store. First the store confirms, then the queue forgets: a job that dies while the
 * store is down waits, and one whose confirmation was lost is stored again, into the same row.
 */
final class BuryPass implements Pass {
    private static final Logger log = LoggerFactory.getLogger(BuryPass.class);
    private static final int BATCH = 50;
    /** In the answer, per job. */
    private static final int WORDS = 3;

    private static final Duration REST = Duration.ofSeconds(2);

    private final RedisJobQueue queue;
    private final DeadLetterStore store;
    /** So many in front were refused, or have no record at present; they are tried again when the end was reached. */
    private int refused;

    BuryPass(RedisJobQueue queue, DeadLetterStore store) {
        this.queue = queue;
        this.store = store;
    }

    @Override
    public Duration run() {
        List<?> dead = dead();
        int read = dead.size() / WORDS;
        boolean more = read == BATCH;
        refused = more ? refused + read : 0;
        List<DeadLetter> letters = letters(dead);
        if (letters.isEmpty()) {
            return more ? Duration.ZERO : REST;
        }
        List<DeadLetter> stored = store.buryEach(letters);
        if (stored.size() < letters.size()) {
            log.warn("{} of {} dead letters were refused by the store", letters.size() - stored.size(), letters.size());
        }
        refused = more ? refused - stored.size() : 0;
        forget(stored);
        stored.forEach(letter -> log.error("dead: {}", letter));
        return more ? Duration.ZERO : REST;
    }

    private List<?> dead() {
        return (List<?>) Script.DEAD.call(
                queue.queues().redis(),
                List.of(queue.keys().dead()),
                List.of("", queue.keys().tag(), Integer.toString(BATCH), Integer.toString(refused)));
    }

    private List<DeadLetter> letters(List<?> dead) {
        List<DeadLetter> letters = new ArrayList<>();
        for (int i = 0; i < dead.size(); i += WORDS) {
            String id = (String) dead.get(i);
            String record = (String) dead.get(i + 2);
            if (record.isEmpty()) {
                // Somebody took it away. A letter without it would replace the one that is perhaps there already.
                log.warn("the record of the dead job {} is missing; it is looked for again", id);
            } else {
                letters.add(letter(id, (String) dead.get(i + 1), record));
            }
        }
        return letters;
    }

    private DeadLetter letter(String id, String diedAt, String text) {
        Instant died = Instant.ofEpochMilli(Long.parseLong(diedAt));
        try {
            JobRecord job = JobRecord.parse(id, text);
            LastFailure last = LastFailure.parse(job.lastFailure());
            return new DeadLetter(
                    queue.name(),
                    id,
                    job.envelope().name(),
                    job.payload(),
                    PlaceHeaders.with(
                            job.envelope().headers(),
                            job.head().orderingKey(),
                            job.head().priority(),
                            job.envelope().retry()),
                    last.reason(),
                    last.errorClass(),
                    last.message(),
                    last.trace(),
                    job.head().attempts(),
                    job.head().starts(),
                    job.head().firstFailureAt() == 0
                            ? died
                            : Instant.ofEpochMilli(job.head().firstFailureAt()),
                    died);
        } catch (RuntimeException unreadable) {
            // Kept as it is, for whoever can read it.
            return new DeadLetter(
                    queue.name(),
                    id,
                    "",
                    text,
                    Map.of(),
                    DeathReason.PERMANENT,
                    null,
                    "" + unreadable.getMessage(),
                    null,
                    0,
                    0,
                    died,
                    died);
        }
    }

    private void forget(List<DeadLetter> letters) {
        List<String> arguments = new ArrayList<>(List.of("", queue.keys().tag()));
        for (DeadLetter letter : letters) {
            arguments.add(letter.jobId());
            arguments.add(Long.toString(letter.diedAt().toEpochMilli()));
        }
        Script.FORGET.call(queue.queues().redis(), List.of(queue.keys().dead()), arguments);
    }
}
