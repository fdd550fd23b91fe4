package dev.baton.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CheckTest {
    @Test
    void numbers_hold_if_they_are_equal_or_not_too_large() {
        assertThat(Check.equal("n", 3, 3).holds()).isTrue();
        assertThat(Check.equal("n", 3, 4).holds()).isFalse();
        assertThat(Check.atMost("n", 3, 3).holds()).isTrue();
        assertThat(Check.atMost("n", 3, 4).holds()).isFalse();
    }

    @Test
    void what_is_missing_doubled_or_unexpected_is_found() {
        assertThat(Check.eachOnce("n", Set.of("a"), Map.of("a", 1)).holds()).isTrue();
        assertThat(Check.eachOnce("n", Set.of("a"), Map.of()).found()).isEqualTo("0 once, 1 missing");
        assertThat(Check.eachOnce("n", Set.of("a"), Map.of("a", 2)).found()).isEqualTo("0 once, 1 too often");
        assertThat(Check.eachOnce("n", Set.of("a"), Map.of("a", 1, "b", 1)).found())
                .isEqualTo("1 once, 1 too often");
    }
}
