package dev.baton.jdbi;

import dev.baton.outbox.OutboxStore.Joined;
import dev.baton.outbox.OutboxStore.Target;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** A relay introduces itself: which routes it has, and into how many shards it believes the outbox to be split. */
final class Joining {
    private static final String SETTING = "SELECT value FROM outbox_settings WHERE name = :name";
    private static final String SHARDS =
            "INSERT INTO outbox_settings (name, value) VALUES ('shards', :shards) ON CONFLICT DO NOTHING";
    private static final String ROUTES = "SELECT topic, sink, since FROM outbox_routes";
    private static final String ADD = """
            INSERT INTO outbox_routes (topic, sink, since)
            SELECT topic, sink, number
            FROM unnest(:topics, :sinks) AS r(topic, sink), nextval(CAST(:sequence AS regclass)) AS number
            ON CONFLICT DO NOTHING""";

    private final Jdbi jdbi;
    private final OutboxTables tables;

    Joining(Jdbi jdbi, OutboxTables tables) {
        this.jdbi = jdbi;
        this.tables = tables;
    }

    Joined join(Set<Target> targets, int shards) {
        try (Handle handle = BoundedHandle.open(jdbi)) {
            return handle.inTransaction(transaction -> {
                checkShards(transaction, shards);
                Set<Target> missing = new LinkedHashSet<>(targets);
                missing.removeAll(routes(transaction).keySet());
                if (!missing.isEmpty()) {
                    add(transaction, missing);
                }
                return new Joined(setting(transaction, "id"), routes(transaction));
            });
        }
    }

    private void checkShards(Handle handle, int shards) {
        handle.createUpdate(tables.in(SHARDS))
                .bind("shards", Integer.toString(shards))
                .execute();
        String known = setting(handle, "shards");
        if (!known.equals(Integer.toString(shards))) {
            throw new IllegalStateException(
                    "this relay has shards = " + shards + ", but the outbox is split into " + known
                            + "; all relays must have the same number, or two would hand over the same events. To change it, stop"
                            + " all relays gracefully and call OutboxAdmin.reshard");
        }
    }

    private void add(Handle handle, Set<Target> targets) {
        handle.createUpdate(tables.in(ADD))
                .bindArray(
                        "topics",
                        String.class,
                        targets.stream().map(Target::topic).toList())
                .bindArray(
                        "sinks",
                        String.class,
                        targets.stream().map(Target::sink).toList())
                .bind("sequence", tables.name("outbox_batches"))
                .execute();
    }

    private Map<Target, Long> routes(Handle handle) {
        Map<Target, Long> routes = new HashMap<>();
        handle.createQuery(tables.in(ROUTES))
                .map((row, context) ->
                        Map.entry(new Target(row.getString("topic"), row.getString("sink")), row.getLong("since")))
                .forEach(route -> routes.put(route.getKey(), route.getValue()));
        return routes;
    }

    private String setting(Handle handle, String name) {
        return handle.createQuery(tables.in(SETTING))
                .bind("name", name)
                .mapTo(String.class)
                .one();
    }
}
