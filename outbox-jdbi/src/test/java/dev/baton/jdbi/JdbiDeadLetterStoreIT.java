package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterArchive;
import dev.baton.deadletter.DeadLetterStoreContract;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.LetterPage;
import dev.baton.deadletter.LetterState;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.failure.DeathReason;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JdbiDeadLetterStoreIT extends DeadLetterStoreContract {
    private static final int MANY = 50_000;

    private final Jdbi jdbi = Database.fresh();
    private final JdbiDeadLetterStore store = new JdbiDeadLetterStore(jdbi);
    private final JdbiDeadLetterStore other = new JdbiDeadLetterStore(Database.fresh());

    @Override
    protected DeadLetterArchive store() {
        return store;
    }

    @Override
    protected DeadLetterArchive otherStore() {
        return other;
    }

    @Override
    protected void redriveAll() {
        Set<String> topics = Set.of(RedriveOrder.topic("payments", "capture-payment"));
        try (JdbiRedriver redriver = new JdbiRedriver(jdbi, new JdbiOutboxWriter(), topics)) {
            redriver.redrive(RedriveOrder.of(LetterFilter.OPEN, "ann", "again").patch("{}"));
            redriver.pass();
        }
    }

    @Test
    void a_letter_is_kept_although_a_transaction_open_in_the_thread_is_rolled_back() {
        jdbi.useHandle(handle -> {
            handle.begin();
            store.bury(List.of(letter("1", "{}", DIED)));
            handle.rollback();
        });
        assertThat(store.open(10)).hasSize(1);
    }

    @Test
    void a_null_character_is_shown() {
        store.bury(List.of(letter("1", "\u0000", DIED)));
        assertThat(store.open(10)).extracting(DeadLetter::payload).containsExactly("\u2400");
    }

    @Test
    void a_page_is_read_from_an_index_in_its_order_whatever_the_filter_and_however_deep() {
        fill();
        LetterPage.Cursor deep = new LetterPage.Cursor(DIED.plusSeconds(MANY / 2), new UUID(0, 0));
        for (LetterFilter filter : List.of(
                LetterFilter.ALL,
                LetterFilter.ALL.queue("queue-3"),
                LetterFilter.ALL.state(LetterState.DISCARDED),
                LetterFilter.OPEN,
                LetterFilter.OPEN.queue("queue-3"),
                LetterFilter.OPEN.jobName("job-7"),
                LetterFilter.OPEN.errorClass("class-11"),
                LetterFilter.OPEN.group("group-13"),
                LetterFilter.OPEN.reason(DeathReason.PERMANENT),
                LetterFilter.OPEN.died(DIED.plusSeconds(9), null))) {
            for (LetterPage.Cursor cursor : new LetterPage.Cursor[] {null, deep}) {
                String plan = explain(filter, cursor);
                assertThat(plan).as("%s after %s", filter, cursor).contains("Index Scan using dead_letters_");
                assertThat(plan).doesNotContain("Seq Scan");
                // What the index gives and the rest of the filter refuses: a page's worth divided by its share, never
                // the table.
                assertThat(refused(plan)).as(plan).isLessThan(5_000);
            }
        }
    }

    @Test
    void few_letters_of_a_state_among_very_many_of_another_and_beside_very_many_of_others_are_found_at_once() {
        fill();
        jdbi.useHandle(handle -> {
            handle.execute(
                    "UPDATE dead_letters SET state = 'REDRIVEN' WHERE queue = 'queue-3' AND died_at < ?::timestamptz",
                    DIED.plusSeconds(MANY - 400).toString());
            handle.execute(
                    "UPDATE dead_letters SET reason = 'STARTS' WHERE queue = 'queue-3' AND died_at > ?::timestamptz",
                    DIED.plusSeconds(MANY - 100).toString());
            handle.execute("VACUUM ANALYZE dead_letters");
        });
        for (LetterFilter filter : List.of(
                LetterFilter.OPEN.queue("queue-3"),
                LetterFilter.OPEN.group("group-3"),
                LetterFilter.OPEN.jobName("job-3"),
                LetterFilter.OPEN.errorClass("class-3"),
                LetterFilter.OPEN.reason(DeathReason.STARTS),
                LetterFilter.ALL.queue("queue-3"),
                LetterFilter.ALL.state(LetterState.REDRIVEN).jobName("job-3"))) {
            String plan = explain(filter, new LetterPage.Cursor(DIED, new UUID(0, 0)));
            assertThat(plan).as("%s", filter).contains("Index Scan using dead_letters_");
            assertThat(refused(plan)).as("%s: %s", filter, plan).isZero();
        }
    }

    @Test
    void very_many_are_discarded_in_batches_and_each_has_its_entry() {
        fill();
        jdbi.useHandle(handle -> {
            handle.execute("CREATE TABLE batches (letters bigint)");
            handle.execute("CREATE FUNCTION log_batch() RETURNS trigger LANGUAGE plpgsql AS"
                    + " $$ BEGIN INSERT INTO batches SELECT count(*) FROM changed; RETURN NULL; END $$");
            handle.execute("CREATE TRIGGER logged AFTER UPDATE ON dead_letters REFERENCING NEW TABLE AS changed"
                    + " FOR EACH STATEMENT EXECUTE FUNCTION log_batch()");
        });
        long open = store.count(LetterFilter.OPEN.reason(DeathReason.PERMANENT));
        assertThat(open).isGreaterThan(2_000);
        assertThat(store.discard(LetterFilter.OPEN.reason(DeathReason.PERMANENT), "ann", "of no use"))
                .isEqualTo((int) open);
        assertThat(store.count(LetterFilter.OPEN.reason(DeathReason.PERMANENT))).isZero();
        assertThat(number("SELECT max(letters) FROM batches")).isEqualTo(1_000);
        assertThat(number("SELECT count(*) FROM dead_letter_audit WHERE action = 'DISCARDED'"))
                .isEqualTo(open);
    }

    private long number(String sql) {
        return jdbi.withHandle(handle -> handle.select(sql).mapTo(Long.class).one());
    }

    private void fill() {
        jdbi.useHandle(handle -> {
            handle.execute("""
                    INSERT INTO dead_letters (queue, message_id, job_id, job_name, payload, reason, error_class, error,
                      attempts, starts, first_failure_at, died_at, error_group, state, history)
                    SELECT 'queue-' || i % 20, i, i, 'job-' || i % 20, '{}',
                           CASE WHEN i % 3 = 0 THEN 'PERMANENT' ELSE 'ATTEMPTS' END, 'class-' || i % 20, 'failed', 1, 1,
                           '2026-02-01T10:00:00Z', timestamptz '2026-02-01T10:00:00Z' + i * interval '1 s',
                           'group-' || i % 20, CASE WHEN i % 5 = 0 THEN 'DISCARDED' ELSE 'OPEN' END, '[]'
                    FROM generate_series(1, ?) AS i""", MANY);
            handle.execute("ANALYZE dead_letters");
        });
    }

    private String explain(LetterFilter filter, LetterPage.Cursor cursor) {
        LetterWhere where = new LetterWhere(filter).after(cursor);
        String sql = "EXPLAIN (ANALYZE, TIMING OFF) " + JdbiDeadLetterStore.page(filter.state(), where);
        List<String> lines = jdbi.withHandle(handle -> where.bind(handle.createQuery(sql))
                .bind("limit", 100)
                .mapTo(String.class)
                .list());
        return String.join("\n", lines);
    }

    private static int refused(String plan) {
        return plan.lines()
                .filter(line -> line.contains("Rows Removed by Filter: "))
                .mapToInt(line -> Integer.parseInt(line.replaceAll("\\D+", "")))
                .sum();
    }
}
