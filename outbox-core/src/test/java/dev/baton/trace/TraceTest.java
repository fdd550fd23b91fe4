package dev.baton.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Scope;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class TraceTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    @AfterEach
    void forget() {
        MDC.clear();
    }

    @Test
    void a_thread_without_a_request_captures_nothing() {
        assertThat(Trace.capture()).isEmpty();
    }

    @Test
    void a_correlation_id_that_no_header_can_hold_is_left_out() {
        MDC.put(Trace.CORRELATION_ID, "a\0b");
        assertThat(Trace.capture()).isEmpty();
        MDC.put(Trace.CORRELATION_ID, "x".repeat(10_000));
        assertThat(Trace.capture()).isEmpty();
    }

    @Test
    void what_was_captured_is_restored_elsewhere_and_taken_back_afterwards() {
        MDC.put(Trace.CORRELATION_ID, "order-7");
        Map<String, String> headers = captureInSpan();
        assertThat(headers)
                .containsEntry(Trace.CORRELATION_ID, "order-7")
                .containsEntry("traceparent", "00-" + TRACE + "-" + SPAN + "-01");
        MDC.put(Trace.CORRELATION_ID, "another");

        Trace.Restored restored = Trace.restore(headers, "fallback");
        assertThat(MDC.get(Trace.CORRELATION_ID)).isEqualTo("order-7");
        assertThat(Span.current().getSpanContext().getTraceId()).isEqualTo(TRACE);
        restored.close();

        assertThat(MDC.get(Trace.CORRELATION_ID)).isEqualTo("another");
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }

    @Test
    void without_a_correlation_id_the_trace_id_is_shown() {
        Trace.Restored restored = Trace.restore(captureInSpan(), "job-payments-7");
        assertThat(MDC.get(Trace.CORRELATION_ID)).isEqualTo(TRACE);
        restored.close();
    }

    @Test
    void without_a_request_the_fallback_is_shown() {
        Trace.Restored restored = Trace.restore(Map.of(), "job-payments-7");
        assertThat(MDC.get(Trace.CORRELATION_ID)).isEqualTo("job-payments-7");
        restored.close();
        assertThat(MDC.get(Trace.CORRELATION_ID)).isNull();
    }

    private static Map<String, String> captureInSpan() {
        SpanContext context = SpanContext.create(TRACE, SPAN, TraceFlags.getSampled(), TraceState.getDefault());
        Scope scope = Span.wrap(context).makeCurrent();
        try {
            return Trace.capture();
        } finally {
            scope.close();
        }
    }
}
