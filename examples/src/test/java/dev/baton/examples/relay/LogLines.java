package dev.baton.examples.relay;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** Listens to what the threads of the library log as a warning or worse. */
final class LogLines implements AutoCloseable {
    private final List<String> threads = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)
                    && event.getThreadName().startsWith("baton-")) {
                threads.add(event.getThreadName());
            }
        }
    };

    LogLines() {
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
    }

    void clear() {
        threads.clear();
    }

    /** Lines by the threads of this component: a relay, a signal, or the worker of a queue of this name. */
    int of(String component) {
        return byComponent().getOrDefault(component, 0L).intValue();
    }

    int mostOfAComponent() {
        return byComponent().values().stream().mapToInt(Long::intValue).max().orElse(0);
    }

    /** Threads are called {@code baton-COMPONENT-DUTY}. */
    private Map<String, Long> byComponent() {
        return threads.stream()
                .collect(Collectors.groupingBy(
                        name -> name.replaceAll("^baton-([^-]+).*", "$1"), Collectors.counting()));
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        appender.stop();
    }
}
