package dev.baton.redis;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.util.JedisURIHelper;

/** URIs of Redis servers that differ in host and port only. No message of this class shows a password. */
record RedisUris(List<URI> uris) {
    private static final String FORM = "it must be redis://[user:password@]host:port[/database] or rediss://..";

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException if there is none, or one is not of the form, or they differ in more
     */
    static RedisUris of(Set<URI> uris) {
        if (uris.isEmpty()) {
            throw new IllegalArgumentException("there is no Redis URI; at least one is needed");
        }
        URI first = uris.iterator().next();
        for (URI uri : uris) {
            check(uri);
            if (!Objects.equals(beside(uri), beside(first))) {
                throw new IllegalArgumentException("the Redis URIs of " + first.getHost() + " and " + uri.getHost()
                        + " differ in scheme, user, password or database; they may differ in host and port only");
            }
        }
        return new RedisUris(List.copyOf(uris));
    }

    List<HostAndPort> addresses() {
        return uris.stream().map(JedisURIHelper::getHostAndPort).toList();
    }

    boolean encrypted() {
        return JedisURIHelper.isRedisSSLScheme(uris.get(0));
    }

    int database() {
        return JedisURIHelper.getDBIndex(uris.get(0));
    }

    @Nullable
    String user() {
        return JedisURIHelper.getUser(uris.get(0));
    }

    @Nullable
    String password() {
        return JedisURIHelper.getPassword(uris.get(0));
    }

    private static void check(URI uri) {
        boolean redis = JedisURIHelper.isRedisScheme(uri) || JedisURIHelper.isRedisSSLScheme(uri);
        String path = Objects.requireNonNullElse(uri.getRawPath(), "");
        if (!JedisURIHelper.isValid(uri) || !redis || !path.matches("(/\\d{0,4})?")) {
            throw new IllegalArgumentException("the Redis URI with scheme " + uri.getScheme() + " and host "
                    + uri.getHost() + " cannot be used; " + FORM);
        }
    }

    private static List<@Nullable String> beside(URI uri) {
        return Arrays.asList(uri.getScheme(), uri.getRawUserInfo(), uri.getRawPath());
    }
}
