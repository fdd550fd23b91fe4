/** The shortest whole program: one event, one route, one handler. The README shows a part of it. */
@NullMarked
package dev.baton.examples.quickstart;

import org.jspecify.annotations.NullMarked;
