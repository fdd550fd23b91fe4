package dev.baton.examples.shop.demo;

import java.io.Console;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Looks at the progress five times a second and shows it once a second, until there is nothing left to wait for. */
public final class Watch {
    private static final long LOOK_EVERY_MS = 200;
    private static final int LOOKS_PER_LINE = 5;
    private static final int QUIET_LOOKS = 15;
    private static final boolean TERMINAL = isTerminal();

    private final DemoSettings settings;
    private final CountDownLatch stop;
    private final long began = System.nanoTime();

    /**
     * Starts the clock.
     *
     * @param stop ends the watch when it is counted down
     */
    public Watch(DemoSettings settings, CountDownLatch stop) {
        this.settings = settings;
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
    public void untilDone(Supplier<Progress> look, Consumer<Progress> each) throws InterruptedException {
        int quiet = 0;
        for (int looks = 0; ; looks++) {
            Progress progress = look.get();
            // A single quiet look proves nothing: it is not a snapshot of PostgreSQL and Redis at the same moment.
            quiet = progress.quiet() && progress.placed() == settings.orders() ? quiet + 1 : 0;
            boolean late = seconds() > settings.limit().toSeconds();
            boolean done = progress.complete(settings.orders()) || quiet >= QUIET_LOOKS || late;
            show(progress, looks, done);
            if (done) {
                System.out.print(late ? "It took too long: gave up waiting.\n" : "");
                return;
            }
            each.accept(progress);
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
        String line = progress.line(seconds());
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
}
