/** How foreign services fail: the faults that the sandboxes of the examples inject, and who decides on them. */
@NullMarked
package dev.baton.examples.sandbox;

import org.jspecify.annotations.NullMarked;
