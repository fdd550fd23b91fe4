package dev.baton.examples.relay;

import dev.baton.jdbi.JdbiOutboxWriter;
import dev.baton.outbox.Event;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Writes an event of one aggregate every few milliseconds, counted up, until it is closed. */
final class CountingWriter implements AutoCloseable {
    private static final long BETWEEN_NANOS = 5_000_000;

    private final Jdbi jdbi;
    private final JdbiOutboxWriter writer;
    private final AtomicInteger written = new AtomicInteger();
    private final Thread thread = new Thread(this::writeOn, "counting-writer");
    private volatile boolean closed;

    CountingWriter(Jdbi jdbi, Runnable afterCommit) {
        this.jdbi = jdbi;
        this.writer = new JdbiOutboxWriter(afterCommit);
        thread.start();
    }

    /** How many, once it is closed. */
    int written() {
        return written.get();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeOn() {
        try (Handle handle = jdbi.open()) {
            while (!closed) {
                Event event = Event.of("counted", "only", Integer.toString(written.get()));
                handle.useTransaction(tx -> writer.write(tx, event));
                written.incrementAndGet();
                LockSupport.parkNanos(BETWEEN_NANOS);
            }
        }
    }
}
