package dev.baton.examples.shop.demo;

import static java.util.stream.Collectors.toMap;

import dev.baton.deadletter.DeadLetter;
import dev.baton.examples.demo.JobTotals;
import dev.baton.examples.service.Database;
import dev.baton.examples.shop.ShopApi;
import dev.baton.examples.shop.ShopConfig;
import dev.baton.examples.shop.ShopQueues;
import dev.baton.examples.shop.ShopTopic;
import dev.baton.examples.shop.sandbox.Effects;
import dev.baton.examples.shop.sandbox.Sandbox;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.jdbi.JdbiOutboxStore;
import dev.baton.jdbi.OutboxAdmin;
import dev.baton.outbox.StoredEvent;
import dev.baton.redis.QueueCounts;
import dev.baton.redis.RedisQueues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.mapper.RowMapper;

/** Looks at everything and changes nothing. */
public final class Auditor implements AutoCloseable {
    private static final int MOST_LETTERS = 1_000;
    private static final int PAGE = 1_000;

    private final Database database;
    private final RedisQueues queues;
    private final Sandbox sandbox;

    /** An auditor of this shop, with connections of its own. */
    public Auditor(ShopConfig config, Sandbox sandbox) {
        this.database = Database.open(config.databaseUrl(), ShopApi.class);
        this.queues = RedisQueues.connect(config.redis(), config.prefix());
        this.sandbox = sandbox;
    }

    /** How far things are. Cheap enough for several times a second. */
    public ShopProgress look(int placed, int wanted) {
        // Queues first: a job that ends between the two looks leaves its event in the outbox, where the second one sees
        // it.
        List<QueueCounts> counts = counts();
        return new ShopProgress(
                wanted,
                placed,
                count("SELECT count(*) FROM payments WHERE status = 'captured'"),
                count("SELECT count(*) FROM shipments"),
                count("SELECT coalesce(sum(points), 0) FROM loyalty_accounts"),
                sandbox.effects().mails().size(),
                sum(counts, count -> count.totals().retried())
                        + sum(counts, count -> count.totals().postponed()),
                sum(counts, count -> count.totals().throttled()),
                sum(counts, count -> count.totals().buried()),
                sum(counts, QueueCounts::pending),
                sum(counts, QueueCounts::leased),
                new JdbiOutboxStore(database.jdbi()).lag(Set.of()).unpublished());
    }

    /** What there is. */
    public Findings findings() {
        Effects outside = sandbox.effects();
        return new Findings(
                outside,
                times("SELECT id::text, count(*) FROM orders GROUP BY id"),
                times("SELECT order_id::text, count(*) FROM payments WHERE status = 'captured' GROUP BY order_id"),
                events(ShopTopic.PAYMENT_CAPTURED),
                times("SELECT order_id::text, count(*) FROM shipments GROUP BY order_id"),
                points(),
                new JdbiOutboxStore(database.jdbi()).lag(Set.of()).unpublished(),
                sum(counts(), QueueCounts::pending),
                deadLetters());
    }

    /** How often what happened to jobs, in all queues together. */
    public Map<String, Long> jobTotals() {
        return JobTotals.of(counts());
    }

    @Override
    public void close() {
        queues.close();
        database.close();
    }

    private List<QueueCounts> counts() {
        return ShopQueues.ALL.stream().map(name -> queues.queue(name).counts()).toList();
    }

    private List<DeadLetter> deadLetters() {
        return new JdbiDeadLetterStore(database.jdbi()).open(MOST_LETTERS);
    }

    private static long sum(List<QueueCounts> counts, ToLongFunction<QueueCounts> part) {
        return counts.stream().mapToLong(part).sum();
    }

    private long count(String sql) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery(sql).mapTo(Long.class).one());
    }

    private Map<String, Integer> times(String sql) {
        return table(sql, (row, context) -> Map.entry(row.getString(1), row.getInt(2)));
    }

    private Map<String, Integer> events(ShopTopic topic) {
        OutboxAdmin outbox = new OutboxAdmin(database.jdbi());
        Map<String, Integer> times = new HashMap<>();
        List<StoredEvent> page = outbox.list(topic.topicName(), null, PAGE);
        while (!page.isEmpty()) {
            page.forEach(event -> times.merge(event.aggregateId(), 1, Integer::sum));
            page = outbox.list(topic.topicName(), page.get(page.size() - 1).id(), PAGE);
        }
        return times;
    }

    private Map<String, Long> points() {
        String sql = "SELECT customer_id, points FROM loyalty_accounts";
        return table(sql, (row, context) -> Map.entry(row.getString(1), row.getLong(2)));
    }

    private <V> Map<String, V> table(String sql, RowMapper<Map.Entry<String, V>> mapper) {
        return database.jdbi()
                .withHandle(handle -> handle.createQuery(sql).map(mapper).stream()
                        .collect(toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }
}
