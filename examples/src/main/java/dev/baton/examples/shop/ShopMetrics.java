package dev.baton.examples.shop;

import dev.baton.outbox.Lag;
import dev.baton.redis.QueueCounts;
import dev.baton.redis.RedisQueues;
import dev.baton.relay.Relay;

/** How the shop is, in Prometheus' text format. Cheap enough to be read each second. */
final class ShopMetrics {
    private final Relay relay;
    private final RedisQueues queues;

    ShopMetrics(Relay relay, RedisQueues queues) {
        this.relay = relay;
        this.queues = queues;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        Lag lag = relay.lag();
        gauge(text, "shop_relay_healthy", "", relay.status().healthy() ? 1 : 0);
        gauge(text, "shop_events_oldest_seconds", "", lag.oldestAge().toMillis() / 1e3);
        gauge(text, "shop_events_unpublished", "", lag.unpublished());
        gauge(text, "shop_events_unknown", "", lag.unknown());
        gauge(text, "shop_events_parked", "", lag.parked());
        for (String queue : ShopQueues.ALL) {
            QueueCounts counts = queues.queue(queue).counts();
            jobs(text, queue, "ready", counts.ready());
            jobs(text, queue, "delayed", counts.delayed());
            jobs(text, queue, "blocked", counts.blocked());
            jobs(text, queue, "leased", counts.leased());
            jobs(text, queue, "dead", counts.dead());
            String labels = "{queue=\"" + queue + "\"}";
            gauge(
                    text,
                    "shop_oldest_ready_seconds",
                    labels,
                    counts.oldestReady().toMillis() / 1e3);
            gauge(text, "shop_jobs_completed_total", labels, counts.totals().completed());
        }
        return text.toString();
    }

    private static void jobs(StringBuilder text, String queue, String state, long count) {
        gauge(text, "shop_jobs", "{queue=\"" + queue + "\",state=\"" + state + "\"}", count);
    }

    private static void gauge(StringBuilder text, String name, String labels, long value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }

    private static void gauge(StringBuilder text, String name, String labels, double value) {
        text.append(name).append(labels).append(' ').append(value).append('\n');
    }
}
