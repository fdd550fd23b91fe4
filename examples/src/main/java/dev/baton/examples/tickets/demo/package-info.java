/**
 * What the demo needs besides the ticket office: buyers who pay, change their minds or vanish, outages, a look at how far
 * things are, and what has to add up at the end.
 */
@NullMarked
package dev.baton.examples.tickets.demo;

import org.jspecify.annotations.NullMarked;
