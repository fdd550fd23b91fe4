package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisUrlTest {

    @ParameterizedTest
    @CsvSource({
        "redis://cache, redis://cache:6379",
        "redis://cache:7000, redis://cache:7000",
        "redis://cache:7000/, redis://cache:7000/",
        "redis://:s3cret@cache/2, redis://:s3cret@cache:6379/2",
        "rediss://ann:s3%40cret@cache/0?a=b, rediss://ann:s3%40cret@cache:6379/0?a=b",
    })
    void a_redis_url_is_kept_and_gets_a_port(String value, String expected) {
        assertThat(RedisUrl.parse("REDIS_URL", value)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            http://:s3cret@cache        | scheme
            :s3cret@cache               | URL
            redis://:s3cret@cache:port  | port
            redis://:s3cret@cache:0     | port
            redis://:s3cret@cache/queue | database
            redis://:s3cret^@cache      | percent-encoded
            """)
    void a_bad_redis_url_is_refused_without_showing_the_password(String value, String reason) {
        assertThatThrownBy(() -> RedisUrl.parse("REDIS_URL", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("REDIS_URL cannot be used: ")
                .hasMessageContaining(reason)
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }
}
