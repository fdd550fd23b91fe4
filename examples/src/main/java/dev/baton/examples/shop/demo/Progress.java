package dev.baton.examples.shop.demo;

import java.util.Locale;

/**
 * How far things are at one moment.
 *
 * @param retries attempts that failed or were postponed and came again
 * @param pending jobs in any state, in all queues
 * @param leased those of them that run
 * @param unpublished events that the relay has not handed over
 */
public record Progress(
        long placed,
        long captured,
        long shipped,
        long points,
        long confirmed,
        long retries,
        long throttled,
        long dead,
        long pending,
        long leased,
        long unpublished) {

    /** Whether nothing is left to do at this moment. */
    public boolean quiet() {
        return pending == 0 && unpublished == 0;
    }

    /** Whether all has happened that was to happen to so many orders. */
    public boolean complete(int orders) {
        return quiet() && placed == orders && captured == orders && shipped == orders && confirmed == orders;
    }

    /** One line for people to read. */
    public String line(double seconds) {
        return String.format(
                Locale.ROOT,
                "%5.1f s  placed %d  captured %d  shipped %d  points %,d  confirmed %d  retries %d  throttled %d  dead"
                        + " %d",
                seconds,
                placed,
                captured,
                shipped,
                points,
                confirmed,
                retries,
                throttled,
                dead);
    }
}
