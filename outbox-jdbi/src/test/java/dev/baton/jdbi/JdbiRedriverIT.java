package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.AuditEntry;
import dev.baton.deadletter.AuditEntry.Action;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.deadletter.RedriveProgress;
import dev.baton.deadletter.RedriveProgress.State;
import dev.baton.deadletter.StoredLetter;
import dev.baton.internal.Json;
import dev.baton.job.Job;
import dev.baton.outbox.Event;
import dev.baton.outbox.OutboxWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

/** What becomes of the letters. */
class JdbiRedriverIT extends RedriveFixture {
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

        store.bury(events.stream().limit(30).map(RedriveFixture::diesAgain).toList());
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
    void a_bad_order_is_refused_with_its_bound() {
        assertThatThrownBy(() -> order().limit(0)).hasMessageContaining("limit is 0");
        assertThatThrownBy(() -> order().perSecond(0)).hasMessageContaining("perSecond is 0.0");
        assertThatThrownBy(() -> order().perSecond(1_001)).hasMessageContaining("between 0.001 and 1000");
        assertThatThrownBy(() -> order().perSecond(Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> order().patch("{")).hasMessageContaining("the patch is not JSON");
        assertThatThrownBy(() -> RedriveOrder.of(LetterFilter.OPEN, "", "why")).hasMessageContaining("blank");
    }
}
