package dev.baton.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.failure.DeathReason;
import dev.baton.job.Job;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every store of dead letters promises; a store's own test extends this. */
public abstract class DeadLetterStoreContract {
    protected static final Instant DIED = Instant.parse("2026-02-01T10:00:00Z");

    /** The store under test, empty at the beginning of each test. */
    protected abstract DeadLetterArchive store();

    /** Another store of the same kind, empty too. */
    protected abstract DeadLetterArchive otherStore();

    /** As if a redrive had sent all open letters back. */
    protected abstract void redriveAll();

    @Test
    public void a_letter_is_kept_as_it_was_buried() {
        DeadLetter letter = letter("1", "{\"b\":1,\"a\":9007199254740993}", DIED);
        store().bury(List.of(letter));
        assertThat(store().open(10)).containsExactly(letter);
        assertThat(only().state()).isEqualTo(LetterState.OPEN);
        assertThat(only().history()).containsExactly(Death.of(letter));
        assertThat(store().find(only().id())).contains(only());
        assertThat(store().find(new UUID(1, 1))).isEmpty();
    }

    @Test
    public void a_letter_buried_twice_is_there_once() {
        store().bury(List.of(letter("1", "{}", DIED), letter("2", "{}", DIED)));
        store().bury(List.of(letter("1", "{}", DIED)));
        assertThat(store().open(10)).hasSize(2);
    }

    @Test
    public void a_second_death_after_a_redrive_opens_the_same_letter_again_and_a_repeat_of_the_first_does_not() {
        store().bury(List.of(letter("1", "\"first\"", DIED)));
        UUID id = only().id();
        redriveAll();
        assertThat(only().state()).isEqualTo(LetterState.REDRIVEN);

        // The queue did not hear the confirmation, and buries the first death again.
        store().bury(List.of(letter("1", "\"first\"", DIED)));
        assertThat(store().open(10)).isEmpty();

        // After a failover the queue's clock may have gone back.
        DeadLetter second = redriven("new-id", "1", "second", DIED.minusSeconds(5));
        store().bury(List.of(second));
        store().bury(List.of(letter("1", "\"first\"", DIED)));
        StoredLetter open = only();
        assertThat(open.id()).isEqualTo(id);
        assertThat(open.state()).isEqualTo(LetterState.OPEN);
        assertThat(open.letter()).isEqualTo(second);
        assertThat(open.redrives()).isEqualTo(1);
        assertThat(open.history()).extracting(Death::jobId).containsExactly("new-id", "1");
        assertThat(open.closedAt()).isNull();
    }

    @Test
    public void the_history_is_short() {
        for (int i = 0; i < 15; i++) {
            store().bury(List.of(redriven("id-" + i, "1", "{}", DIED.plusSeconds(i))));
        }
        assertThat(only().history())
                .hasSize(10)
                .first()
                .extracting(Death::jobId)
                .isEqualTo("id-14");
    }

    @Test
    public void a_letter_of_monstrous_size_is_cut() {
        DeadLetter monster = new DeadLetter(
                "payments",
                "1",
                "work",
                "{}",
                Map.of(),
                DeathReason.PERMANENT,
                "java.lang.Exception",
                "\ud83d\ude00".repeat(100_000),
                "y".repeat(100_000),
                1,
                1,
                DIED,
                DIED);
        store().bury(List.of(monster));
        assertThat(only().letter().error()).hasSize(8_192).doesNotContain("\ufffd");
        assertThat(only().letter().stackTrace()).hasSize(16_384);
        assertThat(only().history().get(0).error()).hasSize(200);
    }

    @Test
    public void a_payload_that_is_not_json_and_has_a_null_character_is_no_reason_to_refuse() {
        store().bury(List.of(letter("1\u0000", "not json \u0000", DIED)));
        assertThat(store().open(10))
                .hasSize(1)
                .first()
                .extracting(DeadLetter::payload)
                .asString()
                .startsWith("not json");
    }

    @Test
    public void pages_come_in_the_order_of_death_without_a_gap_or_a_repeat() {
        List<DeadLetter> letters = IntStream.range(0, 25)
                .mapToObj(i -> letter("" + i, "{}", DIED.plusSeconds(i / 7)))
                .toList();
        store().bury(letters);
        List<StoredLetter> seen = new ArrayList<>();
        LetterPage page = store().list(LetterFilter.OPEN, null, 4);
        seen.addAll(page.letters());
        while (page.next() != null) {
            page = store().list(LetterFilter.OPEN, page.next(), 4);
            assertThat(page.letters()).hasSizeLessThanOrEqualTo(4);
            seen.addAll(page.letters());
        }
        assertThat(seen).extracting(StoredLetter::letter).containsExactlyInAnyOrderElementsOf(letters);
        assertThat(seen).extracting(it -> it.letter().diedAt()).isSorted();
        assertThatThrownBy(() -> store().list(LetterFilter.ALL, null, 0)).hasMessageContaining("limit is 0");
    }

    @Test
    public void every_part_of_a_filter_must_hold() {
        store().bury(List.of(
                letter("1", "{}", DIED),
                letter("2", "{}", DIED.plusSeconds(60)),
                new DeadLetter(
                        "mails",
                        "3",
                        "send",
                        "{}",
                        Map.of(),
                        DeathReason.PERMANENT,
                        "java.io.IOException",
                        "reset",
                        null,
                        1,
                        1,
                        DIED,
                        DIED)));
        String group = store().list(LetterFilter.ALL.queue("mails"), null, 1)
                .letters()
                .get(0)
                .group();
        UUID id = only(LetterFilter.ALL.queue("mails")).id();

        assertThat(store().count(LetterFilter.ALL)).isEqualTo(3);
        assertThat(store().count(LetterFilter.ALL.queue("payments"))).isEqualTo(2);
        assertThat(store().count(LetterFilter.ALL.jobName("send"))).isEqualTo(1);
        assertThat(store().count(LetterFilter.ALL.reason(DeathReason.ATTEMPTS))).isEqualTo(2);
        assertThat(store().count(LetterFilter.ALL.errorClass("java.io.IOException")))
                .isEqualTo(1);
        assertThat(store().count(LetterFilter.ALL.group(group))).isEqualTo(1);
        assertThat(store().count(LetterFilter.ALL.died(DIED, DIED.plusSeconds(60))))
                .isEqualTo(2);
        assertThat(store().count(LetterFilter.ids(id, new UUID(0, 7)))).isEqualTo(1);
        assertThat(store().count(LetterFilter.ids(id).queue("payments"))).isZero();
        assertThat(store().count(LetterFilter.ALL.queue("' OR 'a'='a"))).isZero();
        assertThat(store().count(LetterFilter.ALL.state(LetterState.DISCARDED))).isZero();
    }

    @Test
    public void letters_with_the_same_error_are_one_group_whatever_ids_stand_in_the_message() {
        for (int i = 0; i < 5; i++) {
            store().bury(List.of(
                    failed("a" + i, "order 5f0c1d0e-2f0a-4f0e-8f0a-1f0e2f0a4f0" + i + " has no 'address " + i + "'")));
        }
        store().bury(List.of(failed("b", "the carrier is closed")));
        List<LetterGroup> groups = store().groups(LetterFilter.OPEN, 10);
        assertThat(groups).extracting(LetterGroup::count).containsExactly(5L, 1L);
        assertThat(store().count(LetterFilter.OPEN.group(groups.get(0).group())))
                .isEqualTo(5);
        assertThat(groups.get(1).error()).isEqualTo("the carrier is closed");
    }

    @Test
    public void a_discarded_letter_is_closed_with_a_reason_and_an_entry() {
        store().bury(List.of(letter("1", "{}", DIED), letter("2", "{}", DIED)));
        UUID id = store().list(LetterFilter.OPEN, null, 1).letters().get(0).id();
        assertThat(store().discard(LetterFilter.ids(id), "ann", "test order")).isEqualTo(1);
        assertThat(store().discard(LetterFilter.ids(id), "ann", "test order")).isZero();
        assertThat(store().find(id).orElseThrow().note()).isEqualTo("test order");
        assertThat(store().audit(id))
                .extracting(AuditEntry::action, AuditEntry::by, AuditEntry::why)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(AuditEntry.Action.DISCARDED, "ann", "test order"));
        assertThat(store().open(10)).hasSize(1);
        assertThatThrownBy(() -> store().discard(LetterFilter.OPEN, "ann", " ")).hasMessageContaining("why is blank");
    }

    @Test
    public void what_is_exported_can_be_imported_elsewhere_once() throws IOException {
        store().bury(IntStream.range(0, 450)
                .mapToObj(i -> letter("" + i, "not json: \" \n \u20ac" + i, DIED.plusSeconds(i)))
                .toList());
        store().discard(LetterFilter.ALL.died(DIED, DIED.plusSeconds(3)), "ann", "old");
        StringBuilder file = new StringBuilder();
        assertThat(store().exportTo(file, LetterFilter.ALL)).isEqualTo(450);
        assertThat(file.toString().lines()).hasSize(450).allMatch(line -> line.startsWith("{") && line.endsWith("}"));

        assertThat(otherStore().importFrom(reader(file), "bob")).isEqualTo(450);
        assertThat(otherStore().importFrom(reader(file), "bob")).isZero();
        assertThat(otherStore().list(LetterFilter.ALL, null, 1_000).letters())
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(store().list(LetterFilter.ALL, null, 1_000).letters());
        UUID first =
                otherStore().list(LetterFilter.ALL, null, 1).letters().get(0).id();
        assertThat(otherStore().audit(first)).extracting(AuditEntry::by).containsExactly("bob");
    }

    @Test
    public void a_line_that_is_no_letter_is_named() throws IOException {
        for (String bad : List.of("{\"id\":", "{}", "null", "[]")) {
            assertThatThrownBy(() -> store().importFrom(reader("\n" + bad + "\n"), "bob"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("line 2");
        }
        store().bury(List.of(letter("1", "{}", DIED)));
        StringBuilder file = new StringBuilder();
        store().exportTo(file, LetterFilter.ALL);
        String without = file.toString().replaceFirst("\"headers\":\\{[^}]*},?", "");
        assertThat(without).isNotEqualTo(file.toString());
        assertThatThrownBy(() -> otherStore().importFrom(reader(without), "bob"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 1 is no dead letter: headers");
    }

    @Test
    public void a_purge_deletes_closed_letters_and_reports_open_ones_which_it_never_deletes() {
        store().bury(List.of(letter("1", "{}", DIED), letter("2", "{}", DIED)));
        store().discard(
                        LetterFilter.ids(store().list(LetterFilter.OPEN, null, 1)
                                .letters()
                                .get(0)
                                .id()),
                        "ann",
                        "old");
        assertThat(store().purge(Duration.ofDays(30)).deleted()).isZero();
        assertThat(store().purge(LetterFilter.ALL.queue("another"), Duration.ZERO))
                .isEqualTo(new DeadLetterArchive.PurgeReport(0, 0));
        assertThat(store().purge(Duration.ZERO)).isEqualTo(new DeadLetterArchive.PurgeReport(1, 1));
        assertThat(store().open(10)).hasSize(1);
        assertThatThrownBy(() -> store().purge(Duration.ofMillis(-1))).hasMessageContaining("retention is PT-0.001S");
        assertThatThrownBy(() -> store().groups(LetterFilter.ALL, 0)).hasMessageContaining("limit is 0");
    }

    private StoredLetter only() {
        return only(LetterFilter.ALL);
    }

    private StoredLetter only(LetterFilter filter) {
        List<StoredLetter> letters = store().list(filter, null, 10).letters();
        assertThat(letters).hasSize(1);
        return letters.get(0);
    }

    private static BufferedReader reader(CharSequence text) {
        return new BufferedReader(new StringReader(text.toString()));
    }

    private static DeadLetter failed(String id, String error) {
        return new DeadLetter(
                "shipping",
                id,
                "create-shipment",
                "{}",
                Map.of(),
                DeathReason.PERMANENT,
                "x.Y",
                error,
                null,
                1,
                1,
                DIED,
                DIED);
    }

    /** A letter of a job that was sent back under a new id. */
    protected static DeadLetter redriven(String id, String messageId, String payload, Instant died) {
        return letter(id, payload, died, Map.of(Job.MESSAGE_ID, messageId), null);
    }

    /** A letter of a job that died for the first time. */
    protected static DeadLetter letter(String id, String payload, Instant died) {
        return letter(id, payload, died, Map.of("correlationId", "r-1"), null);
    }

    private static DeadLetter letter(
            String id, String payload, Instant died, Map<String, String> headers, @Nullable String trace) {
        return new DeadLetter(
                "payments",
                id,
                "capture-payment",
                payload,
                headers,
                DeathReason.ATTEMPTS,
                null,
                "it failed",
                trace,
                8,
                9,
                DIED.minusSeconds(60),
                died);
    }
}
