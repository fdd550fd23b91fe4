package dev.baton.redis;

import dev.baton.internal.Bounds;
import dev.baton.internal.Rests;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultRedisCredentials;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisCredentials;
import redis.clients.jedis.RedisProtocol;

/**
 * How to talk to a server.
 *
 * @param credentials of the nodes; null for none, or for those in their URI
 * @param tls used only if the URIs say so
 * @param connect at most so long to connect
 * @param answer at most so long for an answer
 * @param busyPoll at most so long to look for an answer before the thread sleeps
 * @param rests after failures
 */
record Access(
        @Nullable RedisCredentials credentials,
        Tls tls,
        Duration connect,
        Duration answer,
        Duration busyPoll,
        Rests rests) {
    /** The one that every server and proxy speaks; nothing here needs the newer one. */
    static final RedisProtocol PROTOCOL = RedisProtocol.RESP2;

    private static final Duration LONGEST_BUSY_POLL = Duration.ofMillis(1);

    static final Access DEFAULT = new Access(
            null, Tls.DEFAULT, Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofNanos(100_000), Rests.DEFAULT);

    Access withCredentials(@Nullable String user, @Nullable String password) {
        // A user without a password is none: that is how the URI of a server without users reads.
        return password == null
                ? this
                : new Access(new DefaultRedisCredentials(user, password), tls, connect, answer, busyPoll, rests);
    }

    Access withoutCredentials() {
        return new Access(null, tls, connect, answer, busyPoll, rests);
    }

    Access withTls(Tls other) {
        return new Access(credentials, other, connect, answer, busyPoll, rests);
    }

    Access withTimeouts(Duration toConnect, Duration toAnswer) {
        return new Access(credentials, tls, check("connect", toConnect), check("answer", toAnswer), busyPoll, rests);
    }

    Access withBusyPoll(Duration atMost) {
        Bounds.between("busyPoll", atMost, Duration.ZERO, LONGEST_BUSY_POLL);
        return new Access(credentials, tls, connect, answer, atMost, rests);
    }

    Access withRests(Rests others) {
        return new Access(credentials, tls, connect, answer, busyPoll, others);
    }

    JedisClientConfig config(boolean encrypted, int database) {
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .connectionTimeoutMillis((int) connect.toMillis())
                .socketTimeoutMillis((int) answer.toMillis())
                .blockingSocketTimeoutMillis((int) answer.toMillis())
                .protocol(PROTOCOL)
                .database(database)
                .clientName("baton");
        if (credentials != null) {
            config.credentials(credentials);
        }
        if (encrypted) {
            config.sslOptions(tls.options());
        }
        return config.build();
    }

    private static Duration check(String name, Duration timeout) {
        return Bounds.between("the timeout to " + name, timeout, Duration.ofMillis(1), Duration.ofMinutes(1));
    }
}
