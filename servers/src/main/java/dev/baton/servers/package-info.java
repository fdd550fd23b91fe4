/**
 * PostgreSQL and Redis for tests and examples, on any machine.
 *
 * <p>{@link dev.baton.servers.Postgres#get()} and {@link dev.baton.servers.Redis#get()} look for a server in this order:
 *
 * <ol>
 *   <li>the one named by the environment variable {@code DATABASE_URL} or {@code REDIS_URL};
 *   <li>a container, if a Docker engine answers;
 *   <li>a server embedded in the tests: a child process of this JVM with a temporary data folder. The
 *       variable {@code REDIS_SERVER} names a program to be used instead of the one that Maven brings.
 * </ol>
 *
 * <p>Each is started once per JVM, on first use. Whatever this package starts ends with the JVM, however the JVM ends.
 */
@NullMarked
package dev.baton.servers;

import org.jspecify.annotations.NullMarked;
