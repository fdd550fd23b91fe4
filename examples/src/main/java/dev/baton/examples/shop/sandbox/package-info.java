/**
 * The outside world: payment gateway, carrier and mail service behind one real HTTP server on loopback. It counts every
 * effect it has, and its {@link dev.baton.examples.sandbox.Faults} make it fail the way such services do.
 */
@NullMarked
package dev.baton.examples.shop.sandbox;

import org.jspecify.annotations.NullMarked;
