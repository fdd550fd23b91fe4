package dev.baton.redis;

import dev.baton.job.Job;
import java.util.List;

/**
 * What became of the jobs that ran when a worker was stopped.
 *
 * @param finished how many ended by themselves, well or not
 * @param handedBack went back, because they were not done in time: unharmed, or at the cost of a start but no attempt if
 *     they took no notice of the interrupt
 */
public record StopReport(int finished, List<Job> handedBack) {}
