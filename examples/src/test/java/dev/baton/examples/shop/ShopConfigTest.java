package dev.baton.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.baton.examples.service.Environment;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShopConfigTest {
    private static final Map<String, String> COMPLETE = Map.of(
            "DATABASE_URL", "postgres://shop:s3cret@db/shop",
            "REDIS_URL", "redis://:s3cret@cache:6379",
            "SANDBOX_URL", "http://localhost:8090");

    @Test
    void what_one_process_uses_another_one_can_be_told_to_use() {
        ShopConfig config = ShopConfig.from(new Environment(COMPLETE));

        assertThat(ShopConfig.from(new Environment(config.toEnvironment()))).isEqualTo(config);
    }

    @Test
    void a_missing_variable_is_named() {
        for (String variable : COMPLETE.keySet()) {
            Map<String, String> incomplete = new HashMap<>(COMPLETE);
            incomplete.remove(variable);

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ShopConfig.from(new Environment(incomplete)))
                    .withMessageStartingWith(variable + " is missing");
        }
    }

    @Test
    void a_bad_value_is_not_repeated_in_the_message() {
        Map<String, String> bad = new HashMap<>(COMPLETE);
        bad.put("REDIS_URL", "redis://:s3 cret@cache");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShopConfig.from(new Environment(bad)))
                .withMessageStartingWith("REDIS_URL is not a URL")
                .withMessageNotContaining("cret")
                .withNoCause();
    }

    @Test
    void no_password_is_shown() {
        assertThat(ShopConfig.from(new Environment(COMPLETE)).toString()).doesNotContain("s3cret");
    }
}
