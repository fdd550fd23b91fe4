package dev.baton.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MarkingTest {
    private final AtomicInteger marked = new AtomicInteger();

    @Test
    void afterwards_is_when_it_is_finished_and_never_if_it_is_not() {
        try (Marking marking = Marking.afterwards(marked::incrementAndGet)) {
            assertThat(marked).hasValue(0);
            marking.finish();
        }
        assertThat(marked).hasValue(1);
        Marking.afterwards(marked::incrementAndGet).close();
        assertThat(marked).hasValue(1);
    }

    @Test
    void beside_is_once() {
        try (Marking marking = Marking.beside(marked::incrementAndGet, Marking.threads())) {
            marking.finish();
            assertThat(marked).hasValue(1);
        }
        assertThat(marked).hasValue(1);
    }

    /** Else it would mark in a transaction that was rolled back and given away meanwhile. */
    @Test
    void closing_waits_until_the_transaction_is_free_also_for_an_interrupted_thread() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Marking marking = Marking.beside(() -> awaitThenMark(mayEnd), Marking.threads());
        Thread closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            marking.close();
            interrupted.set(Thread.currentThread().isInterrupted());
            marked.compareAndSet(1, 2);
        });
        closing.start();
        while (closing.getState() != Thread.State.WAITING) {
            assertThat(closing.isAlive()).as("still closing").isTrue();
            Thread.onSpinWait();
        }
        mayEnd.countDown();
        closing.join();
        assertThat(marked).hasValue(2);
        assertThat(interrupted).isTrue();
    }

    @Test
    void what_the_marking_throws_is_thrown_when_it_is_finished_but_not_when_it_is_closed() {
        IllegalStateException failure = new IllegalStateException("cannot be marked");
        Marking marking = Marking.beside(
                () -> {
                    throw failure;
                },
                Marking.threads());
        assertThatThrownBy(marking::finish).isSameAs(failure);
        marking.close();
        OutOfMemoryError error = new OutOfMemoryError("no more");
        Marking second = Marking.beside(
                () -> {
                    throw error;
                },
                Marking.threads());
        assertThatThrownBy(second::finish).isSameAs(error);
        second.close();
    }

    private void awaitThenMark(CountDownLatch mayEnd) {
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        marked.incrementAndGet();
    }
}
