/** What every service of the examples needs besides its own subject: settings, a database, and an orderly end. */
@NullMarked
package dev.baton.examples.service;

import org.jspecify.annotations.NullMarked;
