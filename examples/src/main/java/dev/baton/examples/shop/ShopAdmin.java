package dev.baton.examples.shop;

import dev.baton.deadletter.DeadLetterArchive;
import dev.baton.deadletter.LetterFilter;
import dev.baton.deadletter.RedriveOrder;
import dev.baton.examples.web.Answer;
import dev.baton.examples.web.HttpError;
import dev.baton.examples.web.JsonServer;
import dev.baton.examples.web.Request;
import dev.baton.jdbi.JdbiRedriver;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * For those who run the shop: {@code GET /metrics}, {@code GET /dead-letters}, and once the cause is mended {@code POST
 * /redrives} with what is to be sent back, {@code GET /redrives/{id}}, {@code POST /redrives/{id}/cancel}. Everything but the
 * metrics asks for {@code Authorization: Bearer <token>}.
 */
public final class ShopAdmin implements AutoCloseable {
    private static final int SHORTEST_TOKEN = 16;
    private static final int GROUPS = 100;

    private final byte[] token;
    private final ShopMetrics metrics;
    private final DeadLetterArchive letters;
    private final JdbiRedriver redriver;
    private final JsonServer server;

    private ShopAdmin(int port, String token, ShopMetrics metrics, DeadLetterArchive letters, JdbiRedriver redriver)
            throws IOException {
        this.token = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        this.metrics = metrics;
        this.letters = letters;
        this.redriver = redriver;
        this.server = JsonServer.start(port, this::handle);
    }

    /**
     * Opens the door.
     *
     * @param port 0 for any free one
     * @param token that callers have to know
     * @throws IllegalArgumentException if the token has fewer than 16 characters
     * @throws IOException if the port is taken
     */
    static ShopAdmin start(
            int port, String token, ShopMetrics metrics, DeadLetterArchive letters, JdbiRedriver redriver)
            throws IOException {
        if (token.length() < SHORTEST_TOKEN) {
            throw new IllegalArgumentException("ADMIN_TOKEN is too short; give it at least 16 characters");
        }
        return new ShopAdmin(port, token, metrics, letters, redriver);
    }

    /** Where it answers. */
    public URI uri() {
        return server.uri();
    }

    @Override
    public void close() {
        server.close();
    }

    private Answer handle(Request request) {
        if (request.action().equals("GET /metrics")) {
            return Answer.text(metrics.text());
        }
        byte[] given = request.header("Authorization").orElse("").getBytes(StandardCharsets.UTF_8);
        // Takes as long wherever the two differ.
        if (!MessageDigest.isEqual(given, token)) {
            throw new HttpError(401, "say who you are: Authorization: Bearer <token>");
        }
        return switch (request.action()) {
            case "GET /dead-letters" -> Answer.of(200, letters.groups(LetterFilter.OPEN, GROUPS));
            case "POST /redrives" -> redrive(request.body(Wish.class));
            case "GET /redrives/{id}" ->
                redriver.progress(run(request))
                        .map(progress -> Answer.of(200, progress))
                        .orElseGet(() -> Answer.error(404, "there is no such redrive"));
            case "GET /redrives/{id}/audit" -> Answer.of(200, redriver.audit(run(request)));
            case "POST /redrives/{id}/cancel" -> cancel(run(request), request.body(Reason.class));
            default -> Answer.error(404, "there is nothing here; try GET /dead-letters");
        };
    }

    private Answer redrive(Wish wish) {
        RedriveOrder order;
        try {
            order = wish.order();
        } catch (IllegalArgumentException e) {
            throw new HttpError(400, String.valueOf(e.getMessage()));
        }
        return Objects.requireNonNullElse(wish.dryRun(), false)
                ? Answer.of(200, redriver.dryRun(order))
                : Answer.of(202, Map.of("id", redriver.redrive(order)));
    }

    private Answer cancel(UUID run, Reason reason) {
        try {
            return Answer.of(200, Map.of("cancelled", redriver.cancel(run, text(reason.by()), text(reason.why()))));
        } catch (IllegalArgumentException e) {
            throw new HttpError(400, String.valueOf(e.getMessage()));
        }
    }

    private static String text(@Nullable String given) {
        return Objects.requireNonNullElse(given, "");
    }

    private static UUID run(Request request) {
        return Request.uuid(request.id(), "the redrive's id");
    }

    private record Reason(@Nullable String by, @Nullable String why) {}

    /** All open letters, unless a queue or a group of errors is named. */
    private record Wish(
            @Nullable String queue,
            @Nullable String group,
            @Nullable Integer limit,
            @Nullable Double perSecond,
            @Nullable Boolean dryRun,
            @Nullable String by,
            @Nullable String why) {
        RedriveOrder order() {
            LetterFilter filter = LetterFilter.OPEN;
            filter = queue == null ? filter : filter.queue(queue);
            filter = group == null ? filter : filter.group(group);
            return new RedriveOrder(filter, limit, perSecond, null, text(by), text(why));
        }
    }
}
