package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.baton.outbox.Event;
import dev.baton.outbox.WriteAnswer;
import dev.baton.servers.Postgres;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scenario O7: the writer in transactions of all kinds, on a pool of one connection, which a leak or a second one would end. */
@Timeout(60)
class PoolOfOneIT {
    private final String url = Postgres.freshSchema();
    private final HikariDataSource pool = pool();
    private final Jdbi jdbi = Jdbi.create(pool);
    private final AtomicInteger commits = new AtomicInteger();
    private final JdbiOutboxWriter writer = new JdbiOutboxWriter(commits::incrementAndGet);

    @BeforeEach
    void create() {
        OutboxSchema.migrate(jdbi);
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE orders (n int PRIMARY KEY)"));
    }

    @AfterEach
    void nothingLeaked() {
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        pool.close();
    }

    @Test
    void events_match_the_rows_that_survive_a_rollback_to_a_savepoint() {
        jdbi.useTransaction(tx -> {
            order(tx, 1);
            tx.savepoint("s");
            order(tx, 2);
            tx.rollbackToSavepoint("s");
            order(tx, 3);
        });
        assertSurvived(1, 3);
    }

    @Test
    void events_match_the_rows_when_a_statement_fails_and_its_savepoint_saves_the_transaction() {
        jdbi.useTransaction(tx -> {
            order(tx, 1);
            tx.savepoint("s");
            writer.write(tx, Event.of("ordered", 1, 2));
            assertThatThrownBy(() -> tx.execute("INSERT INTO orders VALUES (1)"))
                    .isInstanceOf(JdbiException.class);
            tx.rollbackToSavepoint("s");
            order(tx, 4);
        });
        assertSurvived(1, 4);
    }

    @Test
    void a_rollback_of_the_outer_transaction_takes_the_inner_one_with_it_and_no_hook_runs() {
        assertThatThrownBy(() -> jdbi.useTransaction(outer -> {
                    order(outer, 1);
                    // The same connection: Jdbi joins the transaction that the thread has open.
                    jdbi.useTransaction(inner -> order(inner, 2));
                    assertThat(commits).hasValue(0);
                    throw new IllegalStateException("no stock");
                }))
                .hasMessage("no stock");
        assertSurvived();
        assertThat(commits).hasValue(0);
        jdbi.useTransaction(tx -> order(tx, 3));
        assertSurvived(3);
        assertThat(commits).hasValue(1);
    }

    @Test
    void a_duplicate_id_leaves_the_transaction_usable_for_the_business() {
        Event event = Event.of("ordered", 1, 1);
        jdbi.useTransaction(tx -> {
            tx.execute("INSERT INTO orders VALUES (1)");
            writer.write(tx, event);
        });
        jdbi.useTransaction(tx -> {
            assertThat(writer.write(tx, event)).isEqualTo(WriteAnswer.DUPLICATE);
            order(tx, 2);
            assertThat(writer.write(tx, List.of(event, event)))
                    .containsExactly(WriteAnswer.DUPLICATE, WriteAnswer.DUPLICATE);
            order(tx, 3);
        });
        assertSurvived(1, 2, 3);
    }

    @Test
    void whatever_a_hook_throws_the_caller_sees_the_commit_that_stood() {
        for (Throwable thrown : List.of(new IllegalStateException("hook"), new NoClassDefFoundError("hook"))) {
            JdbiOutboxWriter hooked = new JdbiOutboxWriter(() -> sneak(thrown));
            int n = 10 + commits.incrementAndGet();
            jdbi.useTransaction(tx -> {
                tx.execute("INSERT INTO orders VALUES (?)", n);
                hooked.write(tx, Event.of("ordered", 1, n));
            });
        }
        assertSurvived(11, 12);
    }

    @Test
    void a_connection_in_autocommit_mode_is_refused_and_left_as_it_was() throws Exception {
        try (Connection connection = pool.getConnection()) {
            assertThatThrownBy(() -> new JdbcOutboxWriter().write(connection, Event.of("ordered", 1, 1)))
                    .hasMessageContaining("autocommit");
            assertThat(connection.getAutoCommit()).isTrue();
        }
        jdbi.useHandle(handle -> assertThatThrownBy(() -> writer.write(handle, Event.of("ordered", 1, 1)))
                .hasMessageContaining("not in a transaction"));
        assertSurvived();
    }

    @Test
    void no_way_out_of_a_transaction_keeps_the_connection() {
        for (int i = 0; i < 50; i++) {
            int n = i;
            jdbi.useTransaction(tx -> order(tx, n));
            assertThatThrownBy(() -> jdbi.useTransaction(tx -> order(tx, n))).isInstanceOf(JdbiException.class);
            assertThatThrownBy(() -> jdbi.useTransaction(tx -> writer.write(tx, Event.of("ordered", 1, "{"))))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> jdbi.useHandle(handle -> writer.write(handle, Event.of("ordered", 1, n))))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
        assertThat(Database.topics(jdbi)).hasSize(50);
    }

    private void order(Handle transaction, int n) {
        transaction.execute("INSERT INTO orders VALUES (?)", n);
        writer.write(transaction, Event.of("ordered", 1, n));
    }

    private void assertSurvived(Integer... orders) {
        List<Integer> rows = jdbi.withHandle(handle -> handle.createQuery("SELECT n FROM orders ORDER BY n")
                .mapTo(Integer.class)
                .list());
        List<Integer> events = jdbi.withHandle(
                handle -> handle.createQuery("SELECT payload::text::int FROM outbox_events ORDER BY seq")
                        .mapTo(Integer.class)
                        .list());
        assertThat(rows).containsExactly(orders);
        assertThat(events).containsExactly(orders);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(Postgres.dataSource(url));
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(2_000);
        return new HikariDataSource(config);
    }
}
