package dev.baton.servers;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;

/** Checks a {@code REDIS_URL}. No message of this class shows the value, because it may hold a password. */
final class RedisUrl {

    private static final String FORM = "expected redis://user:password@host:port/database";

    private RedisUrl() {}

    /** Returns the value as a URI that has a port. */
    static URI parse(String variable, String value) {
        URI uri = uri(variable, value.strip());
        check(variable, "redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme()), "its scheme is wrong");
        check(variable, uri.getHost() != null, "it has no host, or its port is not a number");
        int port = uri.getPort() == -1 ? 6379 : uri.getPort();
        check(variable, port >= 1 && port <= 65535, "its port is not between 1 and 65535");
        String path = Objects.requireNonNullElse(uri.getRawPath(), "");
        check(variable, path.matches("(/\\d{0,4})?"), "its database is not a number");

        String info = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return URI.create(uri.getScheme() + "://" + info + uri.getHost() + ":" + port + path + query);
    }

    /** Returns host and port, for messages. */
    static String place(URI uri) {
        return uri.getHost() + ":" + uri.getPort();
    }

    private static URI uri(String variable, String value) {
        try {
            return new URI(value);
        } catch (URISyntaxException e) {
            // Not as the cause: its message holds the value.
            throw bad(variable, "it is not a URL (reserved characters in a password must be percent-encoded)");
        }
    }

    private static void check(String variable, boolean ok, String wrong) {
        if (!ok) {
            throw bad(variable, wrong);
        }
    }

    private static IllegalArgumentException bad(String variable, String wrong) {
        return new IllegalArgumentException(variable + " cannot be used: " + wrong + "; " + FORM);
    }
}
