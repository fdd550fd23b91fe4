/**
 * The thread that leads from a request to every job it caused: W3C trace context and a correlation id, captured when
 * an event is written and restored around the handler.
 */
@NullMarked
package dev.baton.trace;

import org.jspecify.annotations.NullMarked;
