/**
 * The Redis queue beside BullMQ, on the same Redis and in turn.
 *
 * <p>Baton runs in this JVM with the default compilers, and BullMQ in a Node process per measurement. A worker's process
 * lives for days, so both are measured warm: this JVM has a round that is not counted, and on both sides each measurement
 * does the same work once before, in the same process, without timing it. A JVM per measurement would mostly measure
 * the second compiler, which Node's has finished after a fraction of a second.
 *
 * <p>The clock starts when connections stand and the data of the jobs is made, and stops when Redis knows that the last
 * job is completed; for latency, at the first line of the handler. Neither side's handlers do anything. In Baton's runs
 * every job is seen to start exactly once.
 */
@NullMarked
package dev.baton.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
