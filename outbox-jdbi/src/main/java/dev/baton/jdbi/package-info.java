/**
 * The outbox and the dead-letter store in PostgreSQL (14 or newer), through Jdbi.
 *
 * <p>{@link dev.baton.jdbi.OutboxSchema} creates the tables, {@link dev.baton.jdbi.JdbiOutboxWriter} appends to the
 * outbox inside the caller's transaction, {@link dev.baton.jdbi.JdbiOutboxStore} is what the relay reads it through, and
 * {@link dev.baton.jdbi.JdbiDeadLetterStore} keeps dead letters, which {@link dev.baton.jdbi.JdbiRedriver} sends back.
 *
 * <p>All times in the tables are the database's.
 */
@NullMarked
package dev.baton.jdbi;

import org.jspecify.annotations.NullMarked;
