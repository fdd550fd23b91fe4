package dev.baton.examples.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What came in.
 *
 * @param action method and path with its variable part cut out, such as {@code POST /orders/{id}/cancel}: what to
 *     switch on
 * @param id the second part of the path, empty if there is none
 * @param exchange where headers come from
 * @param body as text, at most 64 KB
 */
public record Request(String action, String id, HttpExchange exchange, String body) {
    private static final int LONGEST_BODY = 64 * 1024;

    static Request read(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
        if (body.length > LONGEST_BODY) {
            throw new HttpError(413, "the body is longer than " + LONGEST_BODY + " bytes");
        }
        List<String> path =
                List.of(exchange.getRequestURI().getPath().substring(1).split("/", 3));
        String id = path.size() > 1 ? path.get(1) : "";
        String action = exchange.getRequestMethod() + " /" + path.get(0)
                + (path.size() > 1 ? "/{id}" : "")
                + (path.size() > 2 ? "/" + path.get(2) : "");
        return new Request(action, id, exchange, new String(body, StandardCharsets.UTF_8));
    }

    /** The body read as JSON; see {@link Json#read}. */
    public <T> T body(Class<T> type) {
        return Json.read(body, type);
    }

    /**
     * The text as a UUID.
     *
     * @param what it is, for the message
     * @throws HttpError 400, if it is none
     */
    public static UUID uuid(String text, String what) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new HttpError(400, what + " is not a UUID");
        }
    }

    /** The first header of this name. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    }

    /** The value of the only query parameter, if it has this name. */
    public Optional<String> query(String name) {
        return Optional.ofNullable(exchange.getRequestURI().getQuery())
                .filter(query -> query.startsWith(name + "="))
                .map(query -> query.substring(name.length() + 1));
    }
}
