package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.AuditEntry;
import dev.baton.deadletter.AuditEntry.Action;
import dev.baton.deadletter.DeadLetter;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.LetterState;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.deadletter.RedriveProgress;
import dev.baton.deadletter.RedriveProgress.State;
import dev.baton.deadletter.StoredLetter;
import dev.baton.failure.DeathReason;
import dev.baton.internal.Json;
import dev.baton.job.Job;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class JdbiRedriverIT {
    private static final Instant DIED = Instant.parse("2026-02-01T10:00:00Z");
    private static final Set<String> TOPICS = Set.of(RedriveOrder.topic("payments", "capture"));

    private final Jdbi jdbi = Database.fresh();
    private final JdbiDeadLetterStore store = new JdbiDeadLetterStore(jdbi);
    private final JdbiRedriver redriver = new JdbiRedriver(jdbi, new JdbiOutboxWriter(), TOPICS);

    @AfterEach
    void close() {
        redriver.close();
    }

    @Test
    void a_hundred_letters_are_sent_back_patched_and_thirty_die_again_into_the_same_rows() {
        bury(100);
        RedriveOrder order = RedriveOrder.of(LetterFilter.OPEN, "ann", "amounts were wrong")
                .patch("{\"amount\":8,\"old\":null}")
                .perSecond(200);
        UUID run = redriver.redrive(order);
        // A first part stands; of the next one the events are written when the process dies.
        await().until(() -> {
            redriver.pass();
            return !events().isEmpty();
        });
        int first = events().size();
        OutboxWriter<Handle> killed = (transaction, events) -> {
            new JdbiOutboxWriter().write(transaction, events);
            throw new Error("as if the process had died");
        };
        try (JdbiRedriver dies = new JdbiRedriver(jdbi, killed, TOPICS)) {
            await().untilAsserted(() -> assertThatThrownBy(dies::pass).hasMessageContaining("as if"));
        }
        assertThat(first).isLessThan(100);
        assertThat(events()).hasSize(first);
        assertThat(store.count(LetterFilter.OPEN)).isEqualTo(100 - first);

        passUntilDone(run);
        assertThat(redriver.progress(run)).contains(new RedriveProgress(run, State.DONE, 100, 0));
        assertThat(store.count(LetterFilter.OPEN)).isZero();
        List<Event> events = events();
        assertThat(events).hasSize(100).allSatisfy(event -> {
            assertThat(event.topic()).isEqualTo("baton.redrive/payments/capture");
            assertThat(Json.readStrings(event.payload())).isEqualTo(Map.of("amount", "8", "order", "o"));
            assertThat(event.headers()).containsEntry("correlationId", "r").containsKey(Job.MESSAGE_ID);
        });

        store.bury(events.stream().limit(30).map(JdbiRedriverIT::diesAgain).toList());
        List<StoredLetter> open = store.list(LetterFilter.OPEN, null, 100).letters();
        assertThat(open).hasSize(30).allSatisfy(letter -> {
            assertThat(letter.redrives()).isEqualTo(1);
            assertThat(letter.history()).hasSize(2);
            assertThat(letter.letter().messageId()).startsWith("job-");
            assertThat(store.audit(letter.id()))
                    .extracting(AuditEntry::action, AuditEntry::by, AuditEntry::redrive)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple(Action.REDRIVEN, "ann", run));
        });
        assertThat(store.count(LetterFilter.ALL)).isEqualTo(100);
    }

    @Test
    void a_letter_that_dies_again_during_the_run_waits_for_the_next_order() {
        bury(2);
        UUID run = redriver.redrive(order());
        redriver.pass();
        store.bury(events().stream().map(JdbiRedriverIT::diesAgain).toList());
        passUntilDone(run);
        assertThat(events()).hasSize(2);
        assertThat(store.count(LetterFilter.OPEN)).isEqualTo(2);
    }

    @Test
    void a_run_takes_what_its_filter_its_ids_or_its_group_says_and_no_more_than_its_limit() {
        bury(10);
        store.bury(List.of(letter("other", DIED, "another error")));
        String group = store.list(LetterFilter.OPEN, null, 100).letters().stream()
                .filter(it -> it.letter().error().equals("another error"))
                .findFirst()
                .orElseThrow()
                .group();
        passUntilDone(redriver.redrive(RedriveOrder.of(LetterFilter.OPEN.group(group), "ann", "why")));
        assertThat(store.count(LetterFilter.OPEN)).isEqualTo(10);
        passUntilDone(redriver.redrive(order().limit(3)));
        assertThat(store.count(LetterFilter.OPEN)).isEqualTo(7);
        UUID id = store.list(LetterFilter.OPEN, null, 1).letters().get(0).id();
        passUntilDone(redriver.redrive(RedriveOrder.of(LetterFilter.ids(id), "ann", "why")));
        passUntilDone(redriver.redrive(RedriveOrder.of(LetterFilter.ids(id), "ann", "twice")));
        assertThat(store.find(id).orElseThrow().redrives()).isEqualTo(1);
        passUntilDone(redriver.redrive(RedriveOrder.of(LetterFilter.OPEN.queue("none"), "ann", "why")));
        assertThat(store.count(LetterFilter.OPEN)).isEqualTo(6);
        assertThat(events()).hasSize(5);
    }

    @Test
    void a_letter_that_cannot_be_sent_back_stays_open_with_a_note_and_stops_no_other() {
        bury(3);
        store.bury(List.of(
                letter("not-json", "nonsense", DIED, "capture"),
                letter("null-character", "{\"a\":\"\\u0000\"}", DIED, "capture"),
                letter("no-route", "{}", DIED, "unknown")));
        UUID run = redriver.redrive(order());
        passUntilDone(run);
        assertThat(redriver.progress(run)).contains(new RedriveProgress(run, State.DONE, 3, 3));
        List<StoredLetter> open = store.list(LetterFilter.OPEN, null, 10).letters();
        assertThat(open)
                .extracting(it -> it.letter().jobId())
                .containsExactlyInAnyOrder("not-json", "null-character", "no-route");
        assertThat(open)
                .allSatisfy(it -> assertThat(store.audit(it.id()))
                        .singleElement()
                        .satisfies(entry -> {
                            assertThat(entry.action()).isEqualTo(Action.SKIPPED);
                            assertThat(entry.why()).doesNotContain("nonsense");
                        }));
    }

    @Test
    void a_dry_run_tells_and_changes_nothing() {
        bury(5);
        store.bury(List.of(
                letter("not-json", "nonsense", DIED, "capture"),
                // Only the outbox knows that it has no such number, and no such character.
                letter("too-large-a-number", "{\"a\":1e999999}", DIED, "capture"),
                letter("null-character", "{\"a\":\"\\u0000\"}", DIED, "capture"),
                letter("no-route", "{}", DIED, "unknown")));
        List<String> committed = new ArrayList<>();
        JdbiRedriver dry = new JdbiRedriver(jdbi, new JdbiOutboxWriter(() -> committed.add("nudge")), TOPICS);
        RedriveProgress would = dry.dryRun(order().limit(100).patch("{\"amount\":8}"));
        assertThat(would.redriven()).isEqualTo(5);
        assertThat(would.skipped()).isEqualTo(4);
        assertThat(dry.dryRun(order().limit(2)).redriven()).isEqualTo(2);
        assertThat(store.count(LetterFilter.OPEN)).isEqualTo(9);
        assertThat(events()).isEmpty();
        assertThat(committed).isEmpty();
        assertThat(store.list(LetterFilter.OPEN, null, 10).letters())
                .allSatisfy(letter -> assertThat(store.audit(letter.id())).isEmpty());

        UUID run = redriver.redrive(order().limit(100).patch("{\"amount\":8}"));
        passUntilDone(run);
        assertThat(redriver.progress(run)).contains(new RedriveProgress(run, State.DONE, 5, 4));
    }

    @Test
    void a_run_that_fails_holds_up_no_other() {
        bury(3);
        UUID unreadable = redriver.redrive(order());
        jdbi.useHandle(handle ->
                handle.execute("UPDATE dead_letter_redrives SET filter = '{\"state\":\"OF_A_LATER_VERSION\"}'"));
        assertThatThrownBy(redriver::pass).hasMessageContaining(unreadable.toString());
        UUID run = redriver.redrive(order());
        passUntilDone(run);
        assertThat(redriver.progress(run)).contains(new RedriveProgress(run, State.DONE, 3, 0));
        assertThat(jdbi.<String, RuntimeException>withHandle(
                        handle -> handle.select("SELECT state FROM dead_letter_redrives WHERE id = ?", unreadable)
                                .mapTo(String.class)
                                .one()))
                .isEqualTo("RUNNING");
    }

    @Test
    void a_run_can_be_paused_resumed_and_cancelled() {
        bury(250);
        UUID run = redriver.redrive(order());
        redriver.pass();
        assertThat(redriver.pause(run, "bob", "the gateway is slow")).isTrue();
        redriver.pass();
        assertThat(redriver.progress(run)).contains(new RedriveProgress(run, State.PAUSED, 100, 0));
        assertThat(redriver.resume(run, "ann", "it is quick again")).isTrue();
        redriver.pass();
        assertThat(redriver.cancel(run, "bob", "it is slow again")).isTrue();
        redriver.pass();
        assertThat(redriver.progress(run)).contains(new RedriveProgress(run, State.CANCELLED, 200, 0));
        assertThat(redriver.resume(run, "ann", "too late")).isFalse();
        assertThat(redriver.cancel(run, "ann", "too late")).isFalse();
        assertThat(store.count(LetterFilter.OPEN)).isEqualTo(50);
        assertThat(redriver.audit(run))
                .extracting(AuditEntry::action, AuditEntry::by, AuditEntry::why, AuditEntry::redrive)
                .containsExactly(
                        tuple(Action.STARTED, "ann", "the cause is mended", run),
                        tuple(Action.PAUSED, "bob", "the gateway is slow", run),
                        tuple(Action.RESUMED, "ann", "it is quick again", run),
                        tuple(Action.CANCELLED, "bob", "it is slow again", run));
        assertThatThrownBy(() -> redriver.cancel(run, " ", "why")).hasMessageContaining("by or why is blank");
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 150, 1_000})
    void the_rate_is_kept_within_five_percent(int perSecond) {
        bury(4 * perSecond + 100);
        redriver.start();
        UUID run = redriver.redrive(order().perSecond(perSecond).limit(4 * perSecond));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> redriver.progress(run).orElseThrow().state() == State.DONE);
        double rate = jdbi.withHandle(handle -> handle.createQuery("SELECT (count(*) - 1) /"
                        + " extract(epoch FROM max(at) - min(at)) FROM dead_letter_audit WHERE action = 'REDRIVEN'")
                .mapTo(Double.class)
                .one());
        assertThat(rate).isBetween(perSecond * 0.95, perSecond * 1.05);
    }

    @Test
    void after_a_stall_nothing_is_made_up_for_by_a_burst() {
        bury(200);
        redriver.redrive(order().perSecond(50));
        jdbi.useHandle(
                handle -> handle.execute("UPDATE dead_letter_redrives SET paced_from = now() - interval '1 hour'"));
        redriver.pass();
        assertThat(events()).hasSizeLessThanOrEqualTo(50);
        redriver.pass();
        assertThat(events()).hasSizeLessThanOrEqualTo(60);
    }

    @Test
    void several_redrivers_send_each_letter_once() {
        bury(3_000);
        redriver.redrive(order());
        redriver.redrive(order());
        List<JdbiRedriver> all = IntStream.range(0, 3)
                .mapToObj(i -> new JdbiRedriver(jdbi, new JdbiOutboxWriter(), TOPICS).start())
                .toList();
        await().until(() -> store.count(LetterFilter.OPEN) == 0);
        all.forEach(JdbiRedriver::close);
        assertThat(events()).hasSize(3_000);
        assertThat(store.count(LetterFilter.ALL.state(LetterState.REDRIVEN))).isEqualTo(3_000);
    }

    @Test
    void a_bad_order_is_refused_with_its_bound() {
        assertThatThrownBy(() -> order().limit(0)).hasMessageContaining("limit is 0");
        assertThatThrownBy(() -> order().perSecond(0)).hasMessageContaining("perSecond is 0.0");
        assertThatThrownBy(() -> order().perSecond(1_001)).hasMessageContaining("between 0.001 and 1000");
        assertThatThrownBy(() -> order().perSecond(Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> order().patch("{")).hasMessageContaining("the patch is not JSON");
        assertThatThrownBy(() -> RedriveOrder.of(LetterFilter.OPEN, "", "why")).hasMessageContaining("blank");
    }

    private static RedriveOrder order() {
        return RedriveOrder.of(LetterFilter.OPEN, "ann", "the cause is mended");
    }

    private void passUntilDone(UUID run) {
        await().until(() -> {
            redriver.pass();
            return redriver.progress(run).orElseThrow().state() == State.DONE;
        });
    }

    private void bury(int count) {
        store.bury(IntStream.range(0, count)
                .mapToObj(i -> letter("job-" + i, DIED.plusMillis(i), "it failed"))
                .toList());
    }

    private static DeadLetter letter(String id, Instant died, String error) {
        return new DeadLetter(
                "payments",
                id,
                "capture",
                "{\"amount\":7,\"order\":\"o\",\"old\":1}",
                Map.of("correlationId", "r"),
                DeathReason.ATTEMPTS,
                "x.Y",
                error,
                null,
                8,
                8,
                DIED,
                died);
    }

    private static DeadLetter letter(String id, String payload, Instant died, String jobName) {
        return new DeadLetter(
                "payments",
                id,
                jobName,
                payload,
                Map.of(),
                DeathReason.ATTEMPTS,
                "x.Y",
                "it failed",
                null,
                8,
                8,
                DIED,
                died);
    }

    private static DeadLetter diesAgain(Event event) {
        return new DeadLetter(
                "payments",
                event.id().toString(),
                "capture",
                event.payload(),
                event.headers(),
                DeathReason.PERMANENT,
                "x.Z",
                "again",
                null,
                1,
                1,
                DIED.plusSeconds(60),
                DIED.plusSeconds(60));
    }

    private List<Event> events() {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT * FROM outbox_events ORDER BY seq")
                .map((row, context) -> new Event(
                        row.getObject("id", UUID.class),
                        row.getString("topic"),
                        row.getString("aggregate_id"),
                        row.getString("payload"),
                        Json.readStrings(row.getString("headers"))))
                .list());
    }
}
