/**
 * How an example proves itself: a {@link dev.baton.examples.demo.Stage} on which everything is opened and closed, servers
 * and processes that can be killed, a {@link dev.baton.examples.demo.Crowd} of customers, a
 * {@link dev.baton.examples.demo.Watch} on the progress, and at the end the {@link dev.baton.examples.demo.Account}.
 */
@NullMarked
package dev.baton.examples.demo;

import org.jspecify.annotations.NullMarked;
