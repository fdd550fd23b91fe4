package dev.baton.redis;

import java.util.regex.Pattern;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** The errors after which a connection leads nowhere, although it may be whole. */
final class WrongNode {
    /**
     * With a minus sign in front where a script of Redis 6 ran into it. {@code NOREPLICAS} is what a master says that a
     * failover has left alone on its side of a broken network; {@code NOAUTH} a server that was given a password since.
     */
    private static final Pattern ERRORS = Pattern.compile(
            "(^|\\s-)(READONLY|LOADING|MASTERDOWN|UNBLOCKED|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|NOAUTH)\\b");

    private WrongNode() {}

    /** Whether to give up the connection and to find out again where to go. */
    static boolean isMeantBy(Throwable e) {
        return e instanceof JedisConnectionException
                || (e instanceof JedisDataException
                        && ERRORS.matcher(String.valueOf(e.getMessage())).find());
    }
}
