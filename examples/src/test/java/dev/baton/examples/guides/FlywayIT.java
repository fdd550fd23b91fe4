package dev.baton.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.idempotency.Guard;
import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.jdbi.OutboxSchema;
import dev.baton.jdbi.OutboxTables;
import dev.baton.outbox.Event;
import dev.baton.servers.Postgres;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The files in the jars, run by Flyway as the Javadoc of the two schemas says. */
@Timeout(120)
class FlywayIT {
    private final DataSource database = Postgres.dataSource(Postgres.freshSchema());

    @Test
    void flyway_makes_the_same_tables_as_migrate_and_finds_nothing_to_do_the_second_time() {
        for (int expected : List.of(6, 0)) {
            int done = flyway("dev/baton/jdbi", "flyway_baton_outbox").migrate().migrationsExecuted
                    + flyway("dev/baton/idempotency", "flyway_baton_guard").migrate().migrationsExecuted;
            assertThat(done).isEqualTo(expected);
        }
        Jdbi jdbi = Jdbi.create(database);
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT)).isEmpty();
        jdbi.useTransaction(tx -> {
            new JdbiOutboxWriter().write(tx, Event.of("order.placed", "order-1", "{}"));
            assertThat(Guard.forConsumer("c").onceAll(tx, List.of("m"), Function.identity(), fresh -> {}))
                    .containsExactly("m");
        });
        OutboxSchema.migrate(jdbi);
        assertThat(OutboxSchema.check(jdbi, OutboxTables.DEFAULT)).isEmpty();
    }

    private Flyway flyway(String location, String history) {
        return Flyway.configure()
                .dataSource(database)
                .locations("classpath:" + location)
                .table(history)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
                .load();
    }
}
