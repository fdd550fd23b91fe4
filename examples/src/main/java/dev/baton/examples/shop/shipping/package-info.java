/**
 * Shipping, through a carrier that takes no idempotency key but can be searched: look before you create.
 */
@NullMarked
package dev.baton.examples.shop.shipping;

import org.jspecify.annotations.NullMarked;
