package dev.baton.jdbi;

import dev.baton.deadletter.DeadLetterArchive;
import dev.baton.deadletter.DeadLetterStoreContract;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveOrder;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;

/** The letters in a schema that is not the current one, under names that need quotes. */
class NamedDeadLetterTablesIT extends DeadLetterStoreContract {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final Jdbi jdbi = Database.empty();
    private final OutboxTables tables = created("Odd 'n 100%s ");
    private final OutboxTables others = created("Other ");

    @Override
    protected DeadLetterArchive store() {
        return new JdbiDeadLetterStore(jdbi, tables);
    }

    @Override
    protected DeadLetterArchive otherStore() {
        return new JdbiDeadLetterStore(jdbi, others);
    }

    @Override
    protected void redriveAll() {
        Set<String> topics = Set.of(RedriveOrder.topic("payments", "capture-payment"));
        JdbiOutboxWriter writer = new JdbiOutboxWriter(tables, () -> {});
        try (JdbiRedriver redriver = new JdbiRedriver(jdbi, writer, topics, tables)) {
            redriver.redrive(RedriveOrder.of(LetterFilter.OPEN, "ann", "again").patch("{}"));
            redriver.pass();
        }
    }

    @AfterEach
    void drop() {
        for (OutboxTables each : new OutboxTables[] {tables, others}) {
            jdbi.useHandle(handle -> handle.execute("DROP SCHEMA " + OutboxTables.quoted(each.schema()) + " CASCADE"));
        }
    }

    private OutboxTables created(String name) {
        String schema = name + ProcessHandle.current().pid() + "-" + SCHEMAS.incrementAndGet();
        jdbi.useHandle(handle -> handle.execute("CREATE SCHEMA " + OutboxTables.quoted(schema)));
        OutboxTables created = OutboxTables.DEFAULT.inSchema(schema).withPrefix("My ");
        OutboxSchema.migrate(jdbi, created);
        return created;
    }
}
