package dev.baton.examples.shop;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.baton.trace.Trace;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The log lines of all threads while it is open. */
final class LogCapture implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
            // The diagnostic context is read lazily; later, in another thread, it would be another one.
            event.prepareForDeferredProcessing();
            super.append(event);
        }
    };

    LogCapture() {
        lines.start();
        root.addAppender(lines);
    }

    /** The messages that were logged under this correlation id. */
    List<String> under(String correlationId) {
        synchronized (lines) {
            return lines.list.stream()
                    .filter(event ->
                            correlationId.equals(event.getMDCPropertyMap().get(Trace.CORRELATION_ID)))
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }
    }

    @Override
    public void close() {
        root.detachAppender(lines);
    }
}
