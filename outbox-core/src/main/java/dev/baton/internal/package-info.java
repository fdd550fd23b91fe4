/**
 * Shared by Baton's own modules and by nobody else: the loop that all background work runs in, JSON, and ids.
 */
@NullMarked
package dev.baton.internal;

import org.jspecify.annotations.NullMarked;
