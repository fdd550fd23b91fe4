package dev.baton.benchmarks.outbox;

import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.redis.RedisQueues;
import dev.baton.relay.Relay;
import dev.baton.relay.Routes;
import dev.baton.servers.Postgres;
import java.net.URI;
import org.jdbi.v3.core.Jdbi;

/** A relay in a process of its own, which says when it has published something. */
final class RelayChild {
    static final String WORKS = "works";

    private RelayChild() {}

    /** Arguments: schema, Redis URI. */
    public static void main(String[] args) {
        String url = Postgres.get().jdbcUrl();
        Jdbi jdbi =
                Jdbi.create(Postgres.dataSource(url + (url.contains("?") ? "&" : "?") + "currentSchema=" + args[0]));
        RedisQueues queues = RedisQueues.connect(URI.create(args[1]), "bench");
        Routes routes = Routes.builder()
                .route(Payloads.TOPIC, queues.queue("payments"), "capture")
                .route(Payloads.TOPIC, queues.queue("mail"), "confirm")
                .build();
        Relay relay = Relay.builder(new JdbiOutboxStore(jdbi), routes).start();
        for (long seen = 0; ; ) {
            long before = seen;
            Measured.await(() -> relay.status().published() > before, "the next batch");
            seen = relay.status().published();
            System.out.println(WORKS);
        }
    }
}
