package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrefetchTest {
    private static final long MS = 1_000_000;

    private final Prefetch prefetch = new Prefetch(10);

    @Test
    void nothing_is_taken_ahead_before_a_job_has_run() {
        assertThat(prefetch.ahead()).isZero();
        prefetch.exchanged(MS, 0, 0);
        assertThat(prefetch.ahead()).isZero();
    }

    @Test
    void as_many_are_taken_ahead_as_the_slots_finish_in_two_exchanges() {
        prefetch.exchanged(MS, 100, 100 * MS / 10);
        assertThat(prefetch.ahead()).isEqualTo(10 * 2 * 10);
    }

    @Test
    void jobs_that_take_longer_than_the_exchanges_of_all_slots_are_not_taken_ahead() {
        prefetch.exchanged(MS, 100, 100 * 21 * MS);
        assertThat(prefetch.ahead()).isZero();
    }

    @Test
    void no_more_are_taken_ahead_than_all_scripts_under_way_bring_however_short_they_are() {
        prefetch.exchanged(MS, 100_000, 1);
        assertThat(prefetch.ahead()).isEqualTo(Prefetch.MOST);
    }

    @Test
    void an_exchange_that_took_very_long_brings_no_more_than_runs_before_it_would_go_back() {
        prefetch.exchanged(Duration.ofSeconds(10).toNanos(), 10, 10 * MS);
        assertThat(prefetch.ahead()).isEqualTo(10 * 25);
    }

    @Test
    void slower_jobs_count_at_once_and_faster_ones_by_and_by() {
        prefetch.exchanged(MS, 10, 10 * MS);
        prefetch.exchanged(MS, 20, 10 * MS + 10 * 8 * MS);
        assertThat(prefetch.nanosPerJob()).isEqualTo(8.0 * MS);
        prefetch.exchanged(MS, 30, 10 * MS + 10 * 8 * MS + 10 * 4 * MS);
        assertThat(prefetch.nanosPerJob()).isEqualTo(7.0 * MS);
    }

    @Test
    void an_exchange_in_which_no_job_ended_says_nothing_about_their_time() {
        prefetch.exchanged(MS, 10, 10 * MS);
        prefetch.exchanged(MS, 10, 10 * MS);
        assertThat(prefetch.nanosPerJob()).isEqualTo(1.0 * MS);
    }

    @Test
    void after_one_has_waited_for_too_long_nothing_is_taken_ahead_for_a_while() {
        prefetch.exchanged(MS, 1_000, 1_000 * MS / 1_000);
        assertThat(prefetch.ahead()).isEqualTo(Prefetch.MOST);
        prefetch.tooFar();
        assertThat(prefetch.ahead()).isZero();
    }
}
