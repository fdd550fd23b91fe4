/**
 * Jobs, as everyone but a driver sees them: a {@link dev.baton.job.NewJob} is enqueued in a
 * {@link dev.baton.job.JobQueue}, and a {@link dev.baton.job.JobHandler} gets the {@link dev.baton.job.Job}.
 *
 * <p>A {@link dev.baton.job.Schedule} makes such a job again and again; the {@link dev.baton.job.Schedules} of a queue hold it.
 *
 * <p>A job is in exactly one state:
 *
 * <table>
 * <caption>The states of a job</caption>
 * <tr><th>state</th><th>meaning</th><th>leaves it by</th></tr>
 * <tr><td>READY</td><td>waits for a free slot of a worker</td><td>take</td></tr>
 * <tr><td>DELAYED</td><td>waits for its time</td><td>promote, when the time has come</td></tr>
 * <tr><td>BLOCKED</td><td>waits behind its ordering key</td><td>pass on, when the job before it ended</td></tr>
 * <tr><td>LEASED</td><td>a worker holds it until its lease ends</td><td>settle, or reclaim of an expired lease</td></tr>
 * <tr><td>DEAD</td><td>will not be tried again, waits for the dead-letter store</td><td>forget, once stored</td></tr>
 * <tr><td>COMPLETED</td><td>is kept on request</td><td>retain, when it is too old or too many are kept</td></tr>
 * </table>
 */
@NullMarked
package dev.baton.job;

import org.jspecify.annotations.NullMarked;
