/**
 * The confirmation mail, through a service that recognises a repeat by the key we send: the event's id.
 */
@NullMarked
package dev.baton.examples.shop.notifications;

import org.jspecify.annotations.NullMarked;
