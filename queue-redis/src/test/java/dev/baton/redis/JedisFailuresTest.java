package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.failure.FailureRules;
import dev.baton.failure.Outcome;
import dev.baton.failure.RetryPolicy;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.InvalidURIException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisValidationException;

class JedisFailuresTest {
    private final FailureRules rules = FailureRules.DEFAULT.with(JedisFailures.RULES);

    @Test
    void a_call_that_is_wrong_is_permanent_also_in_a_wrapper() {
        for (RuntimeException wrong : List.of(new JedisValidationException("x"), new InvalidURIException("x"))) {
            assertThat(decide(wrong)).isInstanceOf(Outcome.Bury.class);
            assertThat(decide(new IllegalStateException(wrong))).isInstanceOf(Outcome.Bury.class);
        }
    }

    @Test
    void a_server_that_is_away_is_transient() {
        assertThat(decide(new JedisConnectionException("x"))).isInstanceOf(Outcome.Retry.class);
    }

    private Outcome decide(Throwable failure) {
        return rules.decide(RetryPolicy.DEFAULT, 1, 1, failure, new Random(1));
    }
}
