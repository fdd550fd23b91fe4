package dev.baton.failure;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How often a job is tried.
 *
 * @param attempts failures after which a job is dead; postponing, throttling and a graceful stop are not failures, the
 *     loss of a lease (a crash) is
 * @param maxStarts starts after which a job is dead whatever they ended in: the net under a job that kills or stops its process
 *     every time, or that is postponed for ever; a graceful stop costs a start only if the handler takes no notice of the
 *     interrupt
 * @param backoff the wait between a failure and the next attempt
 */
public record RetryPolicy(int attempts, int maxStarts, Backoff backoff) {
    private static final int MOST_ATTEMPTS = 10_000;

    /**
     * Eight attempts with up to 2 s, 4 s, 8 s .. in between, never more than 15 minutes, and at most 50 starts: the last
     * attempt is made about 3 minutes after the first (2.1 to 4.3).
     */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(8, 50, Backoff.exponential(Duration.ofSeconds(2), Duration.ofMinutes(15)));

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if a number is less than 1, there are more than 10,000 attempts, or there are fewer starts than attempts
     */
    public RetryPolicy {
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts is " + attempts + "; it must be at least 1");
        }
        if (attempts > MOST_ATTEMPTS) {
            throw new IllegalArgumentException("attempts is " + attempts + "; it must be at most " + MOST_ATTEMPTS);
        }
        requireNonNull(backoff, "backoff");
        if (maxStarts < attempts) {
            throw new IllegalArgumentException(
                    "maxStarts is " + maxStarts + "; it must be at least attempts, which is " + attempts);
        }
    }

    /**
     * How long after the first attempt the last one is made: the sum of the waits in between. The time that handlers take,
     * postponements, throttling and full queues come on top: a service that answers with {@code Retry-After} can add as much as
     * {@link HttpFailures} lets it, a day, per start.
     */
    public Horizon horizon() {
        Duration average = Duration.ZERO;
        Duration worst = Duration.ZERO;
        for (int failed = 1; failed < attempts; failed++) {
            average = average.plus(backoff.average(failed));
            worst = worst.plus(backoff.longest(failed));
        }
        return new Horizon(average, worst);
    }

    /**
     * When the last attempt is made, counted from the first.
     *
     * @param average of many jobs
     * @param worst of all jobs
     */
    public record Horizon(Duration average, Duration worst) {
        /** Such as {@code last attempt after 39 min on average, 77 min at worst}. */
        @Override
        public String toString() {
            return "last attempt after " + text(average) + " on average, " + text(worst) + " at worst";
        }

        private static String text(Duration duration) {
            if (duration.compareTo(Duration.ofMinutes(2)) < 0) {
                return Math.round(duration.toMillis() / 1e3) + " s";
            }
            return duration.compareTo(Duration.ofHours(3)) < 0
                    ? Math.round(duration.toSeconds() / 60.0) + " min"
                    : Math.round(duration.toMinutes() / 60.0) + " h";
        }
    }

    /** The same with another number of attempts; {@code maxStarts} grows with it if it must. */
    public RetryPolicy withAttempts(int number) {
        return new RetryPolicy(number, Math.max(maxStarts, number), backoff);
    }

    /** The same with another number of starts. */
    public RetryPolicy withMaxStarts(int number) {
        return new RetryPolicy(attempts, number, backoff);
    }

    /** The same with another backoff. */
    public RetryPolicy withBackoff(Backoff other) {
        return new RetryPolicy(attempts, maxStarts, other);
    }

    /**
     * A text from which {@link #parse} makes the same policy: how a job carries its own.
     *
     * @throws IllegalArgumentException if the backoff is code of one's own
     */
    public String toText() {
        String text = backoff.toText();
        if (text == null) {
            throw new IllegalArgumentException("a job cannot carry a backoff that is code of one's own;"
                    + " use Backoff.exponential, fixed or delays, or give the policy to the worker");
        }
        return attempts + " " + maxStarts + " " + text;
    }

    /**
     * The policy that has this text.
     *
     * @throws IllegalArgumentException if no policy has it
     */
    public static RetryPolicy parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length != 3) {
            throw new IllegalArgumentException("no retry policy has the text " + text);
        }
        return new RetryPolicy(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Backoff.parse(words[2]));
    }
}
