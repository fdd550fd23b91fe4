/**
 * The Redis queue beside BullMQ, on the same Redis and in turn.
 *
 * <p>Baton runs in this JVM with the default compilers, and BullMQ in a Node process per measurement. A worker's process
 * lives for days, so both are measured warm: on both sides each measurement does the same work before, in the same
 * process, without timing it. That is enough for Node, whose figures no longer change then; the JVM's second compiler
 * needs some hundred thousand jobs, which it gets once, at the beginning. A JVM per measurement would mostly measure that
 * compiler.
 *
 * <p>The clock starts when connections stand and the data of the jobs is made, and stops when Redis knows that the last
 * job is completed; for latency, at the first line of the handler. Neither side's handlers do anything. In Baton's runs
 * every job is seen to start exactly once.
 *
 * <p>{@code -Dbench.jobs=50000} sets the size of a measurement, {@code -Dbench.rounds=5} how many count,
 * {@code -Dbench.million=1000000} how full a full queue is, and {@code -Dbench.only=process.c100,bytes.waiting} which rows
 * are measured.
 */
@NullMarked
package dev.baton.benchmarks.queue;

import org.jspecify.annotations.NullMarked;
