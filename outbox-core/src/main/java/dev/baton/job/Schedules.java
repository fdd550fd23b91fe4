package dev.baton.job;

import java.util.List;
import java.util.Optional;

/**
 * The schedules of a queue. What is stored there is the truth: an instance needs no schedule of its own to fire one, and a
 * schedule stays until it is removed. Thread-safe.
 *
 * <p><b>Delivery.</b> Each occurrence enqueues one job, over any number of instances and restarts, as long as the store
 * keeps its data. That job is run as any other: at least once.
 */
public interface Schedules {
    /**
     * Puts the schedule in place of the one with its id. Meant to be called by every instance at its start: with the same
     * timing the next run stays where it is, whatever else changes; another timing counts from now, by the store's clock,
     * and drops what the old one had not fired yet.
     *
     * @return false if it was there already, just so
     */
    boolean upsert(Schedule schedule);

    /**
     * Removes a schedule. Jobs that it has enqueued stay.
     *
     * @return false if there was none
     */
    boolean remove(String id);

    /** The schedule with this id. */
    Optional<ScheduleView> find(String id);

    /**
     * A page of all schedules, the one that runs next in front. While they run, they move between two pages.
     *
     * @param limit at most so many
     * @throws IllegalArgumentException if the offset is negative, or the limit not between 1 and 200
     */
    List<ScheduleView> list(int offset, int limit);
}
