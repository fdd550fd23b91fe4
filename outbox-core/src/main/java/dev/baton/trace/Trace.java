package dev.baton.trace;

import dev.baton.internal.Headers;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Carries a request's identity along: {@link #capture} takes it from the thread when an event is written,
 * {@link #restore} gives it back to the thread that runs the job.
 *
 * <p>It consists of W3C trace context (from OpenTelemetry's current context) and of the SLF4J diagnostic value
 * {@value #CORRELATION_ID}, so a log pattern with <code>%X{correlationId}</code> shows it in both places.
 */
public final class Trace {
    /** Key in the {@link MDC} and among the headers of events and jobs. */
    public static final String CORRELATION_ID = "correlationId";

    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

    private Trace() {}

    /**
     * What the current thread knows of its request, as headers; empty if it knows nothing. A value that no header can hold,
     * such as a client's correlation id of 10 KB, is left out: it must not end a business transaction.
     */
    public static Map<String, String> capture() {
        Map<String, String> headers = new LinkedHashMap<>();
        W3C.inject(Context.current(), headers, Trace::put);
        put(headers, CORRELATION_ID, MDC.get(CORRELATION_ID));
        return headers;
    }

    private static void put(@Nullable Map<String, String> headers, String key, @Nullable String value) {
        if (headers != null && value != null && Headers.fault(value) == null) {
            headers.put(key, value);
        }
    }

    /**
     * Makes the thread look like the request that the headers came from, until the returned handle is closed by the same
     * thread.
     *
     * @param fallbackId the correlation id to show if the headers have neither one nor a trace id, such as
     *     {@code job-payments-17}
     */
    @SuppressWarnings("MustBeClosedChecker") // Closed by what is returned.
    public static Restored restore(Map<String, String> headers, String fallbackId) {
        String before = MDC.get(CORRELATION_ID);
        Context context = W3C.extract(Context.current(), headers, new HeaderGetter());
        MDC.put(CORRELATION_ID, headers.getOrDefault(CORRELATION_ID, traceId(context, fallbackId)));
        Scope scope = context.makeCurrent();
        return () -> {
            scope.close();
            if (before == null) {
                MDC.remove(CORRELATION_ID);
            } else {
                MDC.put(CORRELATION_ID, before);
            }
        };
    }

    private static String traceId(Context context, String otherwise) {
        SpanContext span = Span.fromContext(context).getSpanContext();
        return span.isValid() ? span.getTraceId() : otherwise;
    }

    /** Ends what {@link Trace#restore} began. */
    public interface Restored extends AutoCloseable {
        @Override
        void close();
    }

    private static final class HeaderGetter implements TextMapGetter<Map<String, String>> {
        @Override
        @SuppressWarnings("deprecation") // Deprecated, yet still abstract.
        public Set<String> keys(Map<String, String> headers) {
            return headers.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> headers, String key) {
            return headers == null ? null : headers.get(key);
        }
    }
}
