package dev.baton.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.DeadLetterArchive;
import dev.baton.deadletter.LetterFilter;
import dev.baton.failure.DeathReason;
import dev.baton.jdbi.JdbiDeadLetterStore;
import dev.baton.job.ScheduleView;
import dev.baton.job.Schedules;
import dev.baton.redis.RedisQueues;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShopMaintenanceIT {
    private final ShopFixture shop = new ShopFixture();

    ShopMaintenanceIT() throws IOException {}

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void it_runs_daily_at_three_in_ho_chi_minh_city_however_often_it_is_scheduled() {
        try (RedisQueues queues = RedisQueues.connect(shop.config.redis(), shop.config.prefix())) {
            Schedules schedules = queues.queue(ShopQueues.MAINTENANCE).schedules();
            ShopMaintenance.schedule(schedules);
            ShopMaintenance.schedule(schedules);
            List<ScheduleView> all = schedules.list(0, 10);
            assertThat(all).hasSize(1);
            assertThat(all.get(0)
                            .nextRun()
                            .atZone(ZoneId.of("Asia/Ho_Chi_Minh"))
                            .toLocalTime())
                    .hasToString("03:00");
        }
    }

    @Test
    void what_is_old_is_swept_out_and_what_may_still_be_needed_stays() throws Exception {
        shop.placeOrder();
        shop.placeOrder();
        DeadLetterArchive letters = new JdbiDeadLetterStore(shop.jdbi());
        letters.bury(List.of(letter(ShopQueues.SHIPPING, "1"), letter(ShopQueues.PAYMENTS, "2")));
        letters.discard(LetterFilter.OPEN, "ann", "no longer needed");
        letters.bury(List.of(letter(ShopQueues.SHIPPING, "3")));
        shop.jdbi().useHandle(handle -> {
            handle.execute("UPDATE outbox_events SET batch = 1, published_at = now() - interval '6 days'");
            handle.execute("UPDATE outbox_events SET published_at = now() - interval '8 days'"
                    + " WHERE seq = (SELECT min(seq) FROM outbox_events)");
            handle.execute("INSERT INTO processed_messages VALUES ('c', 'old', now() - interval '31 days'),"
                    + " ('c', 'new', now() - interval '29 days')");
            handle.execute(
                    "UPDATE dead_letters SET closed_at = now() - interval '15 days' WHERE closed_at IS NOT NULL");
        });

        new ShopMaintenance(shop.jdbi()).cleanUp();

        assertThat(shop.rows("outbox_events")).isEqualTo(1);
        assertThat(shop.rows("processed_messages")).isEqualTo(1);
        assertThat(letters.list(LetterFilter.ALL, null, 10).letters())
                .extracting(letter -> letter.letter().jobId())
                .as("of payments for ever, and open ones anyway")
                .containsExactlyInAnyOrder("2", "3");
    }

    private static DeadLetter letter(String queue, String job) {
        return new DeadLetter(
                queue,
                job,
                "x",
                "{}",
                Map.of(),
                DeathReason.ATTEMPTS,
                null,
                "no",
                null,
                1,
                1,
                Instant.EPOCH,
                Instant.EPOCH);
    }
}
