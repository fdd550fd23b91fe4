package dev.baton.examples.invoices.demo;

import static java.util.stream.Collectors.toMap;

import dev.baton.examples.demo.JobTotals;
import dev.baton.examples.invoices.InvoiceQueues;
import dev.baton.examples.invoices.InvoicesConfig;
import dev.baton.examples.invoices.InvoicesWorker;
import dev.baton.examples.invoices.sandbox.ProviderSandbox;
import dev.baton.examples.service.Database;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.redis.QueueCounts;
import dev.baton.redis.RedisQueues;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Looks at everything and changes nothing. */
public final class Auditor implements AutoCloseable {
    private static final int MOST_LETTERS = 1_000;

    private final Database database;
    private final RedisQueues redis;
    private final InvoiceQueues queues;
    private final ProviderSandbox provider;

    /** An auditor of this service, with connections of its own. */
    public Auditor(InvoicesConfig config, ProviderSandbox provider) {
        this.database = Database.open(config.databaseUrl(), InvoicesWorker.class);
        this.redis = RedisQueues.connect(config.redis(), config.prefix());
        this.queues = new InvoiceQueues(redis);
        this.provider = provider;
    }

    /** How far things are. Cheap enough for several times a second. */
    public InvoicesProgress look(int wanted, Memories told) {
        // Queues first: a job that ends between the two looks leaves its event in the outbox, where the second one sees
        // it.
        List<QueueCounts> counts = counts();
        Map<String, Integer> states = times("SELECT status FROM invoices");
        return new InvoicesProgress(
                wanted,
                told.requested(),
                told.ended(),
                states.getOrDefault("issued", 0),
                states.getOrDefault("failed", 0),
                states.getOrDefault("cancelled", 0),
                states.getOrDefault("claimable", 0) + states.getOrDefault("pending", 0),
                sum(counts, count -> count.totals().retried() + count.totals().postponed()),
                sum(counts, count -> count.totals().reclaimed()),
                sum(counts, QueueCounts::leased),
                sum(counts, QueueCounts::pending),
                unpublished());
    }

    /** What there is. */
    public Findings findings() {
        return new Findings(
                provider.ledger(),
                times("SELECT number || ' of ' || order_id FROM invoices WHERE status = 'issued'"),
                times("SELECT order_id::text FROM invoices WHERE status = 'cancelled'"),
                times("SELECT order_id::text FROM invoices WHERE status = 'failed'"),
                times("SELECT order_id::text FROM invoice_audit WHERE what = 'issuance failed'"),
                times("SELECT status FROM invoices WHERE status IN ('claimable', 'pending')")
                        .size(),
                waits(),
                unpublished(),
                sum(counts(), QueueCounts::pending),
                new JdbiDeadLetterStore(database.jdbi()).open(MOST_LETTERS));
    }

    /** How often what happened to jobs, in all queues together. */
    public Map<String, Long> jobTotals() {
        return JobTotals.of(counts());
    }

    @Override
    public void close() {
        redis.close();
        database.close();
    }

    private List<QueueCounts> counts() {
        return List.of(
                queues.issuance().counts(),
                queues.claimExpiry().counts(),
                queues.pickUp().counts());
    }

    private long unpublished() {
        return new JdbiOutboxStore(database.jdbi()).lag(Set.of()).unpublished();
    }

    private static long sum(List<QueueCounts> counts, ToLongFunction<QueueCounts> part) {
        return counts.stream().mapToLong(part).sum();
    }

    private Map<String, Integer> times(String sql) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery(sql).mapTo(String.class).stream()
                        .collect(toMap(id -> id, id -> 1, Integer::sum)));
    }

    private List<Long> waits() {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery(
                                "SELECT (extract(epoch FROM issued_at - requested_at) * 1e9)::bigint FROM invoices"
                                        + " WHERE issued_at IS NOT NULL AND mode = 'real_time' AND claim_until IS NULL")
                        .mapTo(Long.class)
                        .list());
    }
}
