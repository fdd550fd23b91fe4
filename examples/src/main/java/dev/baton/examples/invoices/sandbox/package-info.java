/** The providers behind one real HTTP server on loopback, which fail the way such services do and watch who calls them. */
@NullMarked
package dev.baton.examples.invoices.sandbox;

import org.jspecify.annotations.NullMarked;
