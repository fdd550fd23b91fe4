/**
 * The guard: an effect in the database is applied exactly once per consumer and message. Stands alone; needs Jdbi only.
 *
 * <p>{@code org.jdbi.v3.core} is an automatic module, but it declares its module name in its manifest, so the name is
 * stable and a real descriptor can require it; hence the suppressed lint.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.baton.idempotency {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires transitive org.jdbi.v3.core;

    exports dev.baton.idempotency;
}
