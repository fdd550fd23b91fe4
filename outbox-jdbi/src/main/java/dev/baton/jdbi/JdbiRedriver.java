package dev.baton.jdbi;

import dev.baton.deadletter.AuditEntry;
import dev.baton.deadletter.AuditEntry.Action;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.deadletter.RedriveProgress;
import dev.baton.deadletter.RedriveProgress.State;
import dev.baton.internal.FailureLog;
import dev.baton.internal.Json;
import dev.baton.internal.Loop;
import dev.baton.outbox.OutboxWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Sends dead letters back through the outbox.
 *
 * <p>A letter becomes an event in the same transaction that closes it, and the relay carries that to the queue it died in.
 * So its {@linkplain RedriveOrder#topic topic} needs a route; {@code routes.redrivable()} has those of all targets. The job
 * gets a new id and keeps its message id ({@code job.messageId()}), its headers, its ordering key, priority and retry policy,
 * and its payload; as an event's payload that must be JSON, and comes back with the same meaning, not with the same white
 * space. A unique id is not kept: an order to send a job back makes no duplicate.
 *
 * <p>Runs are rows: any process with a redriver goes on with them. With {@link #start} a thread does that; a test calls
 * {@link #pass} by hand.
 *
 * <p><b>Delivery.</b> One transaction per batch of at most 100 letters: after a crash a letter is either open, or closed with its
 * event. The run goes on behind the last batch. A statement is given up after 10 s, a server that does not answer after 15 s.
 *
 * <p><b>Threads.</b> Thread-safe. A run is worked on by one redriver at a time.
 */
public final class JdbiRedriver implements AutoCloseable {
    private static final String NAME = "baton-redrive";

    private static final String ORDER = """
            INSERT INTO dead_letter_redrives (filter, most, per_second, patch, by_whom, why)
            VALUES (:filter::jsonb, :most, :rate, :patch, :by, :why)
            RETURNING id""";

    private static final String SWITCH = """
            UPDATE dead_letter_redrives SET state = :to, paced_from = clock_timestamp(), paced = 0
            WHERE id = :id AND state = ANY (string_to_array(:from, ','))""";

    private static final String PROGRESS = "SELECT " + RedriveRun.COLUMNS + " FROM dead_letter_redrives WHERE id = ?";

    private final Jdbi jdbi;
    private final OutboxTables tables;
    private final RedriveBatch batch;
    private final LetterAudit audit;
    private final RedrivePass pass;
    private final Loop loop;

    /** The same with the default names of the tables. */
    public JdbiRedriver(Jdbi jdbi, OutboxWriter<Handle> writer, Set<String> topics) {
        this(jdbi, writer, topics, OutboxTables.DEFAULT);
    }

    /**
     * A redriver that does nothing yet.
     *
     * @param writer that the events are written with
     * @param topics that the relay has routes for, {@code routes.topics()}: a letter of any other is skipped, because its
     *     event would stay in the outbox
     * @param tables where the letters are
     */
    public JdbiRedriver(Jdbi jdbi, OutboxWriter<Handle> writer, Set<String> topics, OutboxTables tables) {
        this.jdbi = jdbi;
        this.tables = tables;
        this.batch = new RedriveBatch(writer, Set.copyOf(topics), tables);
        this.audit = new LetterAudit(tables);
        FailureLog failures = new FailureLog();
        this.loop = new Loop(NAME, this::pass, failures);
        this.pass = new RedrivePass(jdbi, tables, batch, failed -> failures.failed(NAME, failed), loop::stopping);
    }

    /** Works on all runs until it is closed, in a thread of its own; once only. */
    public JdbiRedriver start() {
        loop.start();
        return this;
    }

    /** Begins a run. */
    public UUID redrive(RedriveOrder order) {
        UUID id = jdbi.inTransaction(transaction -> {
            UUID run = transaction
                    .createQuery(tables.in(ORDER))
                    .bind("filter", Json.write(order.filter()))
                    .bind("most", order.limit())
                    .bind("rate", order.perSecond())
                    .bind("patch", order.patch())
                    .bind("by", order.by())
                    .bind("why", order.why())
                    .mapTo(UUID.class)
                    .one();
            audit.add(transaction, run, Action.STARTED, order.by(), order.why());
            return run;
        });
        loop.nudge();
        return id;
    }

    /**
     * What a run would do now, without doing it: {@code redriven} and {@code skipped} are what they would be. The events are written
     * in batches whose transactions are rolled back, so what the outbox would refuse is found, and the writer's hooks for a commit
     * are not called. It takes about as long as the run would at full speed.
     */
    public RedriveProgress dryRun(RedriveOrder order) {
        try (Handle handle = BoundedHandle.open(jdbi)) {
            return batch.dryRun(handle, order);
        }
    }

    /** How far a run is. */
    public Optional<RedriveProgress> progress(UUID run) {
        return jdbi.withHandle(handle -> handle.createQuery(tables.in(PROGRESS))
                .bind(0, run)
                .map((row, context) -> RedriveRun.read(row).progress())
                .findOne());
    }

    /**
     * Lets a run wait; a batch in progress ends first.
     *
     * @param by who wants it
     * @param why for the audit trail
     * @return false if it was not running
     * @throws IllegalArgumentException if who or why is blank
     */
    public boolean pause(UUID run, String by, String why) {
        return turn(run, State.PAUSED, "RUNNING", Action.PAUSED, by, why);
    }

    /**
     * Lets a paused run go on.
     *
     * @param by who wants it
     * @param why for the audit trail
     * @return false if it was not paused
     * @throws IllegalArgumentException if who or why is blank
     */
    public boolean resume(UUID run, String by, String why) {
        return turn(run, State.RUNNING, "PAUSED", Action.RESUMED, by, why);
    }

    /**
     * Ends a run for good; what was sent back stays so.
     *
     * @param by who wants it
     * @param why for the audit trail
     * @return false if it had ended
     * @throws IllegalArgumentException if who or why is blank
     */
    public boolean cancel(UUID run, String by, String why) {
        return turn(run, State.CANCELLED, "RUNNING,PAUSED", Action.CANCELLED, by, why);
    }

    /** What was done with a run, the first thing first; what it did with a letter is in that letter's trail. */
    public List<AuditEntry> audit(UUID run) {
        return jdbi.withHandle(handle -> audit.of(handle, run));
    }

    /**
     * One batch of each run that nobody else is at, each in a transaction of its own: a run that fails is logged, tried again with
     * the next pass, and holds up no other. Returns how long to rest.
     *
     * @throws RuntimeException if every run failed
     */
    public Duration pass() {
        return pass.run();
    }

    /** Ends the thread after the batch in progress; the runs stay as they are. */
    @Override
    public void close() {
        loop.close();
    }

    private boolean turn(UUID run, State to, String from, Action action, String by, String why) {
        if (by.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException(
                    "by or why is blank; say who wants that of the redrive and for what reason");
        }
        boolean turned = jdbi.inTransaction(transaction -> {
            boolean any = transaction
                            .createUpdate(tables.in(SWITCH))
                            .bind("to", to.name())
                            .bind("id", run)
                            .bind("from", from)
                            .execute()
                    == 1;
            if (any) {
                audit.add(transaction, run, action, by, why);
            }
            return any;
        });
        loop.nudge();
        return turned;
    }
}
