package dev.baton.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTest {
    private final Tally tally = new Tally(2);

    @Test
    void the_error_of_which_it_tells_is_the_newest_of_those_that_last() {
        tally.failed("cleaning", new IllegalStateException("no"));
        tally.failed(1, new IllegalStateException("not yet"));
        assertThat(error()).isEqualTo("shard 1: java.lang.IllegalStateException: not yet");
        tally.failed("cleaning", new IllegalStateException("still no"));
        assertThat(error()).isEqualTo("cleaning: java.lang.IllegalStateException: still no");
        tally.succeeded("cleaning");
        assertThat(error()).startsWith("shard 1");
        tally.succeeded(0);
        assertThat(tally.status(0).healthy()).isFalse();
        tally.succeeded(1);
        assertThat(tally.status(0).healthy()).isTrue();
    }

    @Test
    void nothing_goes_until_a_shard_does() {
        assertThat(tally.nothingGoes()).isTrue();
        tally.succeeded(0);
        tally.failed(1, new IllegalStateException("no"));
        assertThat(tally.nothingGoes()).isFalse();
        tally.failed(0, new IllegalStateException("no"));
        assertThat(tally.nothingGoes()).isTrue();
    }

    private String error() {
        return String.valueOf(tally.status(0).lastError());
    }
}
