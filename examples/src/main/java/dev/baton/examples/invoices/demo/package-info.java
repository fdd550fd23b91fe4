/**
 * What the demo needs besides the invoice service: shops that ask for invoices, a look at how far things are, and what has
 * to add up at the end.
 */
@NullMarked
package dev.baton.examples.invoices.demo;

import org.jspecify.annotations.NullMarked;
