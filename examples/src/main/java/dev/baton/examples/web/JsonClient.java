package dev.baton.examples.web;

import dev.baton.failure.HttpFailures;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/**
 * Calls a foreign service.
 *
 * <p><b>Errors.</b> An answer that is not a success becomes what {@link HttpFailures} makes of it. A timeout or a
 * broken connection is an {@link IOException}, which is transient for a worker; note that the service may have done
 * what it was asked nevertheless.
 *
 * <p><b>Threads.</b> Thread-safe.
 */
public final class JsonClient {
    private final HttpClient http;
    private final URI base;
    private final Duration timeout;

    /** @param timeout for connecting, and then again for the answer to begin */
    public JsonClient(URI base, Duration timeout) {
        this.http = HttpClient.newBuilder()
                .version(Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
        this.base = base;
        this.timeout = timeout;
    }

    /**
     * Asks.
     *
     * @param context what is asked of whom, for the message of an error
     */
    public <T> T get(String path, Class<T> answer, String context) throws IOException, InterruptedException {
        return send(request(path).GET(), answer, context);
    }

    /**
     * Tells.
     *
     * @param context what is told to whom, for the message of an error
     */
    public <T> T post(String path, Map<String, String> headers, Object body, Class<T> answer, String context)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.write(body)));
        headers.forEach(request::header);
        return send(request, answer, context);
    }

    /**
     * Removes.
     *
     * @param context what is removed where, for the message of an error
     */
    public <T> T delete(String path, Class<T> answer, String context) throws IOException, InterruptedException {
        return send(request(path).DELETE(), answer, context);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(timeout);
    }

    private <T> T send(HttpRequest.Builder request, Class<T> answer, String context)
            throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw HttpFailures.of(response, context);
        }
        try {
            return Json.read(response.body(), answer);
        } catch (HttpError e) {
            throw new IOException(context + ": the answer cannot be read");
        }
    }
}
