package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.baton.deadletter.AuditEntry;
import dev.baton.deadletter.AuditEntry.Action;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.LetterState;
import dev.baton.deadletter.RedriveProgress;
import dev.baton.deadletter.RedriveProgress.State;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How runs go on: at their rate, beside each other, until they are stopped. */
class RedriveRunsIT extends RedriveFixture {
    @Test
    void a_letter_that_dies_again_during_the_run_waits_for_the_next_order() {
        bury(2);
        UUID run = redriver.redrive(order());
        redriver.pass();
        store.bury(events().stream().map(RedriveFixture::diesAgain).toList());
        passUntilDone(run);
        assertThat(events()).hasSize(2);
        assertThat(store.count(LetterFilter.OPEN)).isEqualTo(2);
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
}
