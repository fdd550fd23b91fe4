/**
 * What the demo needs besides the shop: customers who place orders, a look at how far things are, workers in a JVM of
 * their own that can be killed, and the account at the end.
 */
@NullMarked
package dev.baton.examples.shop.demo;

import org.jspecify.annotations.NullMarked;
