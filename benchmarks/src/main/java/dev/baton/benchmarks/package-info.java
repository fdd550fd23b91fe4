/**
 * Measurements: {@code mvn -q -Pbench -Dbench=NAME}. Each benchmark runs its peer in the same run, in turn with ours, and
 * reports medians and ratios; a ratio above 1 means better than the peer.
 */
@NullMarked
package dev.baton.benchmarks;

import org.jspecify.annotations.NullMarked;
