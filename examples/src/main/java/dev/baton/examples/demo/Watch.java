package dev.baton.examples.demo;

import java.io.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Looks at the progress five times a second and shows it once a second, until there is nothing left to wait for. */
public final class Watch {
    private static final long LOOK_EVERY_MS = 200;
    private static final int LOOKS_PER_LINE = 5;
    private static final int QUIET_LOOKS = 15;
    private static final boolean TERMINAL = isTerminal();

    private final Duration limit;
    private final CountDownLatch stop;
    private final long began = System.nanoTime();

    /**
     * Starts the clock.
     *
     * @param limit after which it gives up
     * @param stop ends the watch when it is counted down
     */
    public Watch(Duration limit, CountDownLatch stop) {
        this.limit = limit;
        this.stop = stop;
    }

    /** Since the clock was started. */
    public double seconds() {
        return Math.round((System.nanoTime() - began) / 1e8) / 10.0;
    }

    /**
     * Returns when everything has happened; or when nothing moves any more though something is missing; or when the
     * time is up, which it says.
     *
     * @param each is told of every look
     * @throws InterruptedException if the watch was stopped
     */
    public <P extends Progress> void untilDone(Supplier<P> look, Each<P> each)
            throws IOException, InterruptedException {
        int quiet = 0;
        for (int looks = 0; ; looks++) {
            P progress = look.get();
            // A single quiet look proves nothing: it is not a snapshot of PostgreSQL and Redis at the same moment.
            quiet = progress.quiet() ? quiet + 1 : 0;
            boolean late = seconds() > limit.toSeconds();
            boolean done = progress.complete() || quiet >= QUIET_LOOKS || late;
            show(progress, looks, done);
            if (done) {
                System.out.print(late ? "It took too long: gave up waiting.\n" : "");
                return;
            }
            each.see(progress);
            if (stop.await(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
                throw new InterruptedException("the demo is being stopped");
            }
        }
    }

    private void show(Progress progress, int looks, boolean last) {
        if (looks % LOOKS_PER_LINE != 0 && !last) {
            return;
        }
        // A terminal shows one line that changes; a file or a CI log gets a line each time.
        String line = String.format(Locale.ROOT, "%5.1f s  %s", seconds(), progress.line());
        System.out.print(TERMINAL ? "\r" + line + (last ? "\n" : "") : line + "\n");
        System.out.flush();
    }

    /** Since Java 22 there is a console even where nobody sits before it; there, and only there, it can be asked. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (ReflectiveOperationException olderJava) {
            return true;
        }
    }

    /** Is told of every look. */
    @FunctionalInterface
    public interface Each<P extends Progress> {
        /** Sees it, and may do something about it. */
        void see(P progress) throws IOException;
    }
}
