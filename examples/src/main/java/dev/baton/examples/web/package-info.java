/**
 * JSON over HTTP with what the JDK has: {@link dev.baton.examples.web.JsonServer} for the APIs and for the sandboxes,
 * {@link dev.baton.examples.web.JsonClient} for what they call. Nothing here is about one example.
 */
@NullMarked
package dev.baton.examples.web;

import org.jspecify.annotations.NullMarked;
