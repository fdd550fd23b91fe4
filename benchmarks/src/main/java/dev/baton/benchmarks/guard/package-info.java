/** What failures cost: the guard beside the bare effect, and burying jobs. */
@NullMarked
package dev.baton.benchmarks.guard;

import org.jspecify.annotations.NullMarked;
