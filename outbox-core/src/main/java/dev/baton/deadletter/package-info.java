/**
 * Jobs that will not be tried again. A dead job stays in its queue until a
 * {@link dev.baton.deadletter.DeadLetterStore} confirmed that it holds the {@link dev.baton.deadletter.DeadLetter}, so
 * none is lost while the store is down.
 */
@NullMarked
package dev.baton.deadletter;

import org.jspecify.annotations.NullMarked;
