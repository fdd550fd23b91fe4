package dev.baton.jdbi;

import dev.baton.deadletter.AuditEntry;
import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterArchive;
import dev.baton.deadletter.Death;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.LetterGroup;
import dev.baton.deadletter.LetterPage;
import dev.baton.deadletter.LetterState;
import dev.baton.deadletter.StoredLetter;
import dev.baton.internal.Bounds;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Dead letters in the table {@code dead_letters}, or as {@link OutboxTables} names it. Thread-safe. */
public final class JdbiDeadLetterStore implements DeadLetterArchive {
    private static final int LARGEST_PAGE = 1_000;
    /** Their payloads (256 KB at most by default) fit into the memory. */
    private static final int EXPORT_PAGE = 100;

    private static final Duration LONGEST_RETENTION = Duration.ofDays(36_500);

    // One row per (queue, message). Another death replaces what was known and opens the letter; a death that is in the
    // history already was buried before, by a queue that did not hear the confirmation. Times decide nothing: after a
    // failover the queue's clock may go backwards.
    private static final String BURY = """
            INSERT INTO dead_letters AS known
              (queue, message_id, job_id, job_name, payload, headers, reason, error_class, error, stack_trace, attempts,
               starts, first_failure_at, died_at, error_group, history)
            VALUES
              (:queue, :messageId, :jobId, :jobName, :payload, :headers::jsonb, :reason, :errorClass, :error, :stackTrace,
               :attempts, :starts, :firstFailureAt, :diedAt, :group, :history::jsonb)
            ON CONFLICT (queue, message_id) DO UPDATE SET
              job_id = excluded.job_id, job_name = excluded.job_name, payload = excluded.payload,
              headers = excluded.headers, reason = excluded.reason, error_class = excluded.error_class,
              error = excluded.error, stack_trace = excluded.stack_trace, attempts = excluded.attempts,
              starts = excluded.starts, first_failure_at = excluded.first_failure_at, died_at = excluded.died_at,
              error_group = excluded.error_group, buried_at = now(), state = 'OPEN', closed_at = NULL, note = NULL,
              history = jsonb_path_query_array(excluded.history || known.history, '$[0 to 9]')
            WHERE NOT known.history @> :death::jsonb""";

    // State by state, as the indexes are: few letters of one state may lie among very many of the others.
    private static final String LIST = "(SELECT " + LetterRow.COLUMNS
            + " FROM dead_letters WHERE state = '%s' AND %s ORDER BY died_at, id LIMIT :limit)";

    private static final String GROUPS = """
            SELECT error_group, min(job_name) AS job_name, min(error_class) AS error_class, min(error) AS error,
                   count(*) AS letters, min(died_at) AS first, max(died_at) AS last
            FROM dead_letters
            WHERE %s
            GROUP BY error_group
            ORDER BY letters DESC, error_group
            LIMIT :limit""";

    private static final String COUNT = "SELECT count(*) FROM dead_letters WHERE %s";

    private final Jdbi jdbi;
    private final OutboxTables tables;

    /** The same with the default names of the tables. */
    public JdbiDeadLetterStore(Jdbi jdbi) {
        this(jdbi, OutboxTables.DEFAULT);
    }

    /**
     * A store in this database.
     *
     * @param jdbi for the database; never closed by the store
     * @param tables where its tables are
     */
    public JdbiDeadLetterStore(Jdbi jdbi, OutboxTables tables) {
        this.jdbi = jdbi;
        this.tables = tables;
    }

    @Override
    public void bury(List<DeadLetter> letters) {
        if (letters.isEmpty()) {
            return;
        }
        // A handle of its own: in a transaction of the caller's the letters would be confirmed before they are
        // committed.
        try (Handle handle = BoundedHandle.open(jdbi)) {
            handle.useTransaction(transaction -> {
                PreparedBatch batch = transaction.prepareBatch(tables.in(BURY));
                letters.forEach(letter -> LetterRow.bind(batch, letter, List.of(Death.of(letter)))
                        .bind("death", LetterRow.death(letter))
                        .add());
                batch.execute();
            });
        }
    }

    @Override
    public List<DeadLetter> open(int limit) {
        return list(LetterFilter.OPEN, null, limit).letters().stream()
                .map(StoredLetter::letter)
                .toList();
    }

    @Override
    public Optional<StoredLetter> find(UUID id) {
        return list(LetterFilter.ids(id), null, 1).letters().stream().findFirst();
    }

    @Override
    public LetterPage list(LetterFilter filter, LetterPage.@Nullable Cursor after, int limit) {
        Bounds.between("limit", limit, 1, LARGEST_PAGE);
        LetterWhere where = new LetterWhere(filter).after(after);
        List<StoredLetter> letters =
                jdbi.withHandle(handle -> where.bind(handle.createQuery(tables.in(page(filter.state(), where))))
                        .bind("limit", limit)
                        .map((row, context) -> LetterRow.read(row))
                        .list());
        if (letters.size() < limit) {
            return new LetterPage(letters, null);
        }
        StoredLetter last = letters.get(limit - 1);
        return new LetterPage(letters, new LetterPage.Cursor(last.letter().diedAt(), last.id()));
    }

    /** @param only letters of this state, or null for all */
    static String page(@Nullable LetterState only, LetterWhere where) {
        return Stream.of(LetterState.values())
                .filter(state -> only == null || only == state)
                .map(state -> LIST.formatted(state.name(), where.sql()))
                .collect(Collectors.joining(
                        " UNION ALL ", "SELECT * FROM (", ") AS letters ORDER BY died_at, id LIMIT :limit"));
    }

    @Override
    public long count(LetterFilter filter) {
        LetterWhere where = new LetterWhere(filter);
        return jdbi.withHandle(handle -> where.bind(handle.createQuery(tables.in(COUNT.formatted(where.sql()))))
                .mapTo(Long.class)
                .one());
    }

    @Override
    public List<LetterGroup> groups(LetterFilter filter, int limit) {
        Bounds.between("limit", limit, 1, LARGEST_PAGE);
        LetterWhere where = new LetterWhere(filter);
        return jdbi.withHandle(handle -> where.bind(handle.createQuery(tables.in(GROUPS.formatted(where.sql()))))
                .bind("limit", limit)
                .map((row, context) -> new LetterGroup(
                        row.getString("error_group"),
                        row.getString("job_name"),
                        row.getString("error_class"),
                        row.getString("error"),
                        row.getLong("letters"),
                        LetterRow.moment(row, "first"),
                        LetterRow.moment(row, "last")))
                .list());
    }

    @Override
    public int discard(LetterFilter filter, String by, String why) {
        if (by.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("by or why is blank; say who discards the letters and for what reason");
        }
        return new LetterDisposal(jdbi, tables).discard(filter, by, why);
    }

    @Override
    public List<AuditEntry> audit(UUID letter) {
        return jdbi.withHandle(handle -> new LetterAudit(tables).of(handle, letter));
    }

    @Override
    public long exportTo(Appendable out, LetterFilter filter) throws IOException {
        long exported = 0;
        LetterPage page = list(filter, null, EXPORT_PAGE);
        while (true) {
            exported += LetterFile.write(out, page.letters());
            if (page.next() == null) {
                return exported;
            }
            page = list(filter, page.next(), EXPORT_PAGE);
        }
    }

    @Override
    public long importFrom(BufferedReader in, String by) throws IOException {
        return new LetterFile(jdbi, tables, by).read(in);
    }

    @Override
    public PurgeReport purge(LetterFilter which, Duration retention) {
        Bounds.between("retention", retention, Duration.ZERO, LONGEST_RETENTION);
        return new LetterDisposal(jdbi, tables).purge(which, retention);
    }
}
