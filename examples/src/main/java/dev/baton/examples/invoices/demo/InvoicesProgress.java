package dev.baton.examples.invoices.demo;

import dev.baton.examples.demo.Progress;
import java.util.Locale;

/**
 * How far things are at one moment.
 *
 * @param wanted how many invoices are to be asked for
 * @param requested invoices
 * @param ended invoices that no shop will come back to
 * @param open invoices that are not at their end
 * @param retries attempts that failed or were postponed and came again
 * @param leased jobs that run
 * @param pending jobs in any state
 * @param unpublished events that the relay has not handed over
 */
public record InvoicesProgress(
        int wanted,
        int requested,
        int ended,
        long issued,
        long failed,
        long cancelled,
        long open,
        long retries,
        long reclaimed,
        long leased,
        long pending,
        long unpublished)
        implements Progress {

    @Override
    public boolean quiet() {
        return requested == wanted && ended == wanted && pending == 0 && unpublished == 0;
    }

    @Override
    public boolean complete() {
        return quiet() && open == 0;
    }

    @Override
    public String line() {
        return String.format(
                Locale.ROOT,
                "requested %d  issued %d  failed %d  cancelled %d  open %d  jobs %d  retries %d  reclaimed %d",
                requested,
                issued,
                failed,
                cancelled,
                open,
                pending,
                retries,
                reclaimed);
    }
}
