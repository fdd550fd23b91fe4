/** The long fault test: {@code mvn -q -Ptorture -Dtorture.minutes=N}. */
@NullMarked
package dev.baton.examples.torture;

import org.jspecify.annotations.NullMarked;
