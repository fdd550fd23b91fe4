package dev.baton.examples.shop.demo;

import dev.baton.examples.demo.Progress;
import java.util.Locale;

/**
 * How far things are at one moment.
 *
 * @param wanted how many orders are to be placed
 * @param retries attempts that failed or were postponed and came again
 * @param pending jobs in any state, in all queues
 * @param leased those of them that run
 * @param unpublished events that the relay has not handed over
 */
public record ShopProgress(
        int wanted,
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
        long unpublished)
        implements Progress {

    @Override
    public boolean quiet() {
        return placed == wanted && pending == 0 && unpublished == 0;
    }

    @Override
    public boolean complete() {
        return quiet() && captured == wanted && shipped == wanted && confirmed == wanted;
    }

    @Override
    public String line() {
        return String.format(
                Locale.ROOT,
                "placed %d  captured %d  shipped %d  points %,d  confirmed %d  retries %d  throttled %d  dead" + " %d",
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
