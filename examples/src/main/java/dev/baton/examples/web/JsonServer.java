package dev.baton.examples.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP server that speaks JSON. It listens on loopback only: an example should not open a port to the network.
 *
 * <p><b>Errors.</b> An {@link HttpError} becomes its status; anything else is logged and becomes 500 without details.
 *
 * <p><b>Threads.</b> The handler is called by many threads at once.
 */
public final class JsonServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JsonServer.class);

    static {
        // Head and body are two packets: without this the second one waits 40 ms for the other side's delayed ACK.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private JsonServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts a server.
     *
     * @param port 0 for any free one
     * @throws IOException if the port is taken
     */
    public static JsonServer start(int port, Handler handler) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        JsonServer started = new JsonServer(HttpServer.create(address, 0));
        started.server.setExecutor(started.threads);
        started.server.createContext("/", exchange -> serve(exchange, handler));
        started.server.start();
        return started;
    }

    /** Where it answers, such as {@code http://127.0.0.1:41234}. */
    public URI uri() {
        return URI.create("http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort());
    }

    /** Takes no more requests, lets those in progress finish for a second, then stops. */
    @Override
    public void close() {
        // Not server.stop(1): it waits for the whole second even when nothing is in progress.
        threads.shutdown();
        try {
            threads.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
    }

    private static void serve(HttpExchange exchange, Handler handler) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange, handler);
            if (!answer.isNothing()) {
                write(exchange, answer);
            }
        }
    }

    private static Answer answer(HttpExchange exchange, Handler handler) {
        try {
            return handler.handle(Request.read(exchange));
        } catch (HttpError e) {
            return Answer.error(e.status(), String.valueOf(e.getMessage()));
        } catch (Exception e) {
            log.error(
                    "{} {} failed",
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    e);
            return Answer.error(500, "something is wrong on our side; the log knows more");
        }
    }

    private static void write(HttpExchange exchange, Answer answer) throws IOException {
        String text = answer.body() instanceof String plain ? plain : Json.write(answer.body());
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(answer.status(), body.length);
        exchange.getResponseBody().write(body);
    }

    /** The user's code. */
    @FunctionalInterface
    public interface Handler {
        /** Answers a request. */
        Answer handle(Request request) throws Exception;
    }
}
