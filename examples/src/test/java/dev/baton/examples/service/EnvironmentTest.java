package dev.baton.examples.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentTest {
    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "x", "", "NaN", "1001", "Infinity"})
    void what_is_no_factor_is_refused_by_its_name(String value) {
        Environment environment = new Environment(Map.of("FACTOR", value));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> environment.factor("FACTOR"))
                .withMessageStartingWith("FACTOR is no factor");
    }

    @Test
    void a_factor_may_be_small_and_is_one_if_there_is_none() {
        assertThat(new Environment(Map.of("FACTOR", "3.3E-4")).factor("FACTOR")).isEqualTo(0.00033);
        assertThat(new Environment(Map.of()).factor("FACTOR")).isEqualTo(1);
    }

    @Test
    void a_number_that_is_none_is_refused_without_its_value() {
        Environment environment = new Environment(Map.of("PORT", "s3cret"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> environment.number("PORT", 1))
                .withMessage("PORT is not a whole number");
    }
}
