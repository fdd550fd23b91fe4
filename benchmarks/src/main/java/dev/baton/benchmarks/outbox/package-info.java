/** The outbox and its relay beside other libraries that hand work from a transaction to a handler. */
package dev.baton.benchmarks.outbox;
