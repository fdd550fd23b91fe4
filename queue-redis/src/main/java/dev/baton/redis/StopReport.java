package dev.baton.redis;

import dev.baton.job.Job;
import java.util.List;

/**
 * What became of the jobs that ran when a worker was stopped.
 *
 * @param finished how many ended by themselves, well or not
 * @param handedBack went back unharmed, because they were not done in time
 */
public record StopReport(int finished, List<Job> handedBack) {}
