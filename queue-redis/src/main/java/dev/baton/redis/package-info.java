/**
 * Job queues in Redis (6.2 or newer).
 *
 * <p>{@link dev.baton.redis.RedisQueues} connects, {@link dev.baton.redis.RedisJobQueue} is one queue, and
 * {@link dev.baton.redis.RedisWorker} runs its jobs.
 *
 * <p>All keys of a queue carry the hash tag <code>{prefix:queue}</code>, so they lie in one slot of a cluster and one
 * script may touch them all:
 *
 * <table>
 * <caption>The data of a queue</caption>
 * <tr><th>key, after the tag</th><th>type</th><th>holds</th></tr>
 * <tr><td>{@code :job:<id>}</td><td>string</td><td>the job: counters, priority, keys, last failure, name and headers, payload</td></tr>
 * <tr><td>{@code :ready}</td><td>list</td><td>ids of priority 0 that wait for a slot; new ones enter left, the next one leaves right</td></tr>
 * <tr><td>{@code :urgent}</td><td>sorted set</td><td>ids of priority 1 to 9 that wait for a slot, by the time of becoming ready less p minutes</td></tr>
 * <tr><td>{@code :delayed}</td><td>sorted set</td><td>ids by the time at which they become ready</td></tr>
 * <tr><td>{@code :key:<ordering key>}</td><td>list</td><td>ids with this key, in order; the head is the one that may run</td></tr>
 * <tr><td>{@code :blocked}</td><td>sorted set</td><td>ids that wait behind the head of their key</td></tr>
 * <tr><td>{@code :leased}</td><td>sorted set</td><td>{@code id#token} by the end of the lease</td></tr>
 * <tr><td>{@code :dead}</td><td>sorted set</td><td>ids by the time of death, until the dead-letter store has them</td></tr>
 * <tr><td>{@code :completed}</td><td>sorted set</td><td>ids of finished jobs that are kept on request</td></tr>
 * <tr><td>{@code :unique:<unique id>}</td><td>string</td><td>the id of the live job that has it</td></tr>
 * <tr><td>{@code :config}</td><td>hash</td><td>what holds for all workers</td></tr>
 * <tr><td>{@code :starts}</td><td>list</td><td>the times of the last starts, for the limiter</td></tr>
 * <tr><td>{@code :schedules}</td><td>sorted set</td><td>ids of schedules by the time of their next run</td></tr>
 * <tr><td>{@code :schedule:<id>}</td><td>hash</td><td>the schedule: timing, policy and job, anchor, last run, version</td></tr>
 * <tr><td>{@code :wake}</td><td>list</td><td>at most one token; a hint that there is something to take</td></tr>
 * <tr><td>{@code :session:<id>}</td><td>string</td><td>number and answer of a worker's last exchange; expires</td></tr>
 * <tr><td>{@code :relay:<outbox>:<shard>:<shards>}</td><td>hash</td><td>number and ids of the last batch that a relay handed over</td></tr>
 * <tr><td>{@code :totals}</td><td>hash</td><td>how often each thing happened since the queue began</td></tr>
 * <tr><td>{@code :none}</td><td>none</td><td>never exists; each script names it, so that a cluster runs none while the slot moves</td></tr>
 * </table>
 *
 * <p>A job is in exactly one state, and each step from one to another is one script, so no crash can fall in between:
 *
 * <table>
 * <caption>Who moves what where</caption>
 * <tr><th>step</th><th>from</th><th>to</th><th>starts</th><th>attempts</th></tr>
 * <tr><td>enqueue</td><td>nowhere</td><td>ready, blocked or delayed</td><td>0</td><td>0</td></tr>
 * <tr><td>fire, when a schedule is due</td><td>nowhere</td><td>ready or blocked</td><td>0</td><td>0</td></tr>
 * <tr><td>promote, when due</td><td>delayed</td><td>ready, at the back; or blocked</td><td></td><td></td></tr>
 * <tr><td>pass on, when the head of a key ends</td><td>blocked</td><td>ready, at the back</td><td></td><td></td></tr>
 * <tr><td>take</td><td>ready, from the front</td><td>leased</td><td></td><td></td></tr>
 * <tr><td>complete</td><td>leased</td><td>gone, or completed</td><td></td><td></td></tr>
 * <tr><td>retry</td><td>leased</td><td>delayed</td><td>+1</td><td>+1</td></tr>
 * <tr><td>postpone</td><td>leased</td><td>delayed</td><td>+1</td><td></td></tr>
 * <tr><td>throttle</td><td>leased</td><td>ready, at the front; the queue is held</td><td>+1</td><td></td></tr>
 * <tr><td>release</td><td>leased</td><td>ready, at the front, or delayed</td><td></td><td></td></tr>
 * <tr><td>abandon, at a stop</td><td>leased</td><td>ready, at the front</td><td>+1</td><td></td></tr>
 * <tr><td>bury</td><td>leased</td><td>dead</td><td>+1</td><td>+1</td></tr>
 * <tr><td>reclaim, when the lease ended</td><td>leased</td><td>ready, at the front</td><td>+1</td><td>+1</td></tr>
 * <tr><td>forget, once stored</td><td>dead</td><td>gone</td><td></td><td></td></tr>
 * <tr><td>retain, when too old or too many</td><td>completed</td><td>gone</td><td></td><td></td></tr>
 * </table>
 *
 * <p>The counters are of starts and attempts that have ended, so handing out a job writes nothing into it: a job that
 * succeeds at once is written once and read once. A job whose budget was used up by crashes is buried by the next worker
 * that takes it and knows its name, before its handler runs.
 */
@NullMarked
package dev.baton.redis;

import org.jspecify.annotations.NullMarked;
