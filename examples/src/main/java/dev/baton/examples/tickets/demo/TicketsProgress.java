package dev.baton.examples.tickets.demo;

import dev.baton.examples.demo.Progress;
import java.util.Locale;

/**
 * How far things are at one moment.
 *
 * @param wanted how many orders are to be booked
 * @param booked orders
 * @param ended orders that no buyer will ask for again
 * @param locked seats
 * @param pending jobs in any state
 * @param unpublished events that the relay has not handed over
 */
public record TicketsProgress(
        int wanted,
        int booked,
        int ended,
        long paid,
        long released,
        long locked,
        long reclaimed,
        long pending,
        long unpublished)
        implements Progress {

    @Override
    public boolean quiet() {
        return booked == wanted && ended == wanted && pending == 0 && unpublished == 0;
    }

    @Override
    public boolean complete() {
        return quiet() && locked == 0;
    }

    @Override
    public String line() {
        return String.format(
                Locale.ROOT,
                "booked %d  paid %d  released %d  seats locked %d  jobs waiting %d  reclaimed %d",
                booked,
                paid,
                released,
                locked,
                pending,
                reclaimed);
    }
}
