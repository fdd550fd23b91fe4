/**
 * Loyalty points, which are rows of our own: the guard makes each award exactly once.
 */
@NullMarked
package dev.baton.examples.shop.loyalty;

import org.jspecify.annotations.NullMarked;
