package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.outbox.Event;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.sqlobject.SqlObject;
import org.jdbi.v3.sqlobject.SqlObjectPlugin;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.jdbi.v3.sqlobject.transaction.Transaction;
import org.junit.jupiter.api.Test;

/** The writer in Jdbi's SQL objects, which have the handle of their transaction. */
class SqlObjectIT {
    private static final JdbiOutboxWriter WRITER = new JdbiOutboxWriter();

    private final Jdbi jdbi = Database.fresh().installPlugin(new SqlObjectPlugin());
    private final Orders orders = jdbi.onDemand(Orders.class);

    SqlObjectIT() {
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE orders (id int PRIMARY KEY)"));
    }

    @Test
    void the_event_stands_or_falls_with_the_transaction_of_the_method() {
        orders.place(1);
        assertThatThrownBy(() -> orders.place(1)).hasMessageContaining("orders_pkey");
        orders.place(2);
        assertThat(Database.topics(jdbi)).containsExactly("order.placed", "order.placed");
    }

    @Test
    void a_method_without_a_transaction_is_refused_and_writes_no_event() {
        assertThatThrownBy(() -> orders.placeCarelessly(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the handle is not in a transaction");
        assertThat(Database.topics(jdbi)).isEmpty();
    }

    /** As users write them. */
    public interface Orders extends SqlObject {
        @SqlUpdate("INSERT INTO orders (id) VALUES (?)")
        void insert(int id);

        @Transaction
        default void place(int id) {
            WRITER.write(getHandle(), Event.of("order.placed", id, "{}"));
            insert(id);
        }

        default void placeCarelessly(int id) {
            WRITER.write(getHandle(), Event.of("order.placed", id, "{}"));
        }
    }
}
