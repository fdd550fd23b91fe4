package dev.baton.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FailureLogTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLog.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(5));
    private final FailureLog failures = new FailureLog(nanos::get);

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(appender);
    }

    @Test
    void all_loops_have_one_line_in_ten_seconds_which_tells_what_was_silent() {
        fail("relay");
        fail("clean");
        fail("bury");
        pass(9_999);
        fail("relay");
        assertThat(lines()).containsExactly("relay failed; it goes on by itself");
        pass(1);
        fail("clean");
        pass(10_000);
        fail("bury");
        assertThat(lines())
                .containsExactly(
                        "relay failed; it goes on by itself",
                        "clean failed (3 more failures since the last line, of bury, clean, relay); it goes on by itself",
                        "bury failed; it goes on by itself");
    }

    @Test
    void a_failure_that_cannot_be_logged_is_named() {
        failures.failed("relay", new IllegalStateException("unspeakable") {
            @Override
            public StackTraceElement[] getStackTrace() {
                throw new StackOverflowError();
            }
        });
        assertThat(lines()).hasSize(1).allMatch(line -> line.startsWith("relay failed with a dev.baton"));
    }

    private void fail(String name) {
        failures.failed(name, new IllegalStateException("away"));
    }

    private void pass(int millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private List<String> lines() {
        return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
