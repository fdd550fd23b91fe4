package dev.baton.servers;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parsed {@code DATABASE_URL}. No message of this class shows the value, because it holds a password.
 *
 * @param jdbcUrl the JDBC URL without user and password
 * @param user the user, empty if not given
 * @param password the password, empty if not given
 * @param place host, port and database, for messages
 */
record DatabaseUrl(String jdbcUrl, String user, String password, String place) {

    private static final String FORMS =
            "expected postgres://user:password@host:port/database or jdbc:postgresql://host:port/database";

    static DatabaseUrl parse(String variable, String value) {
        String url = value.strip();
        String rest = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
        URI uri = uri(variable, rest);
        check(
                variable,
                "postgres".equals(uri.getScheme()) || "postgresql".equals(uri.getScheme()),
                "its scheme is wrong");
        String host = uri.getHost();
        check(variable, host != null, "it has no host, or its port is not a number");
        int port = uri.getPort() == -1 ? 5432 : uri.getPort();
        check(variable, port >= 1 && port <= 65535, "its port is not between 1 and 65535");
        String path = Objects.requireNonNullElse(uri.getRawPath(), "");
        check(variable, path.length() > 1 && path.indexOf('/', 1) < 0, "it names no single database");

        Map<String, String> parameters = parameters(uri.getRawQuery());
        String[] info = userInfo(uri.getRawUserInfo());
        String user = Objects.requireNonNullElse(parameters.remove("user"), info[0]);
        String password = Objects.requireNonNullElse(parameters.remove("password"), info[1]);
        String place = host + ":" + port + path;
        return new DatabaseUrl("jdbc:postgresql://" + place + query(parameters), user, password, place);
    }

    private static URI uri(String variable, String value) {
        try {
            return new URI(value);
        } catch (URISyntaxException e) {
            // Not as the cause: its message holds the value.
            throw bad(variable, "it is not a URL (reserved characters in a password must be percent-encoded)");
        }
    }

    private static String[] userInfo(@Nullable String raw) {
        if (raw == null) {
            return new String[] {"", ""};
        }
        int colon = raw.indexOf(':');
        return colon < 0
                ? new String[] {decode(raw), ""}
                : new String[] {decode(raw.substring(0, colon)), decode(raw.substring(colon + 1))};
    }

    private static Map<String, String> parameters(@Nullable String raw) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (raw != null) {
            for (String pair : raw.split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    parameters.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
                }
            }
        }
        return parameters;
    }

    private static String query(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&", parameters.isEmpty() ? "" : "?", ""));
    }

    private static String decode(String raw) {
        // In a URL outside of forms, a plus is a plus.
        return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static void check(String variable, boolean ok, String wrong) {
        if (!ok) {
            throw bad(variable, wrong);
        }
    }

    private static IllegalArgumentException bad(String variable, String wrong) {
        return new IllegalArgumentException(variable + " cannot be used: " + wrong + "; " + FORMS);
    }

    @Override
    public String toString() {
        return place;
    }
}
