package dev.baton.redis;

import dev.baton.failure.FailureRule;
import dev.baton.failure.Meaning;
import java.util.List;
import redis.clients.jedis.exceptions.InvalidURIException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisValidationException;

/**
 * What Jedis's exceptions mean when a handler uses Redis itself; every worker has these rules behind those of its user.
 *
 * <table>
 * <caption>The rules</caption>
 * <tr><td>{@link JedisValidationException}, {@link InvalidURIException}</td><td>permanent: the call itself is wrong</td></tr>
 * <tr><td>any other {@link JedisException}</td><td>transient: a lost connection, a failover, a busy script pass</td></tr>
 * </table>
 */
public final class JedisFailures {
    /** The rules, for {@link dev.baton.failure.FailureRules#with(List)}. */
    public static final List<FailureRule> RULES = List.of(
            FailureRule.onType(JedisValidationException.class, Meaning.PERMANENT),
            FailureRule.onType(InvalidURIException.class, Meaning.PERMANENT),
            FailureRule.onType(JedisException.class, Meaning.TRANSIENT));

    private JedisFailures() {}
}
