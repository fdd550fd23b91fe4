/**
 * What the demo needs besides the shop: customers who place orders, a look at how far things are, and what has to add up
 * at the end.
 */
@NullMarked
package dev.baton.examples.shop.demo;

import org.jspecify.annotations.NullMarked;
