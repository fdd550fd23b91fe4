/**
 * The outbox and the dead-letter store in PostgreSQL, through Jdbi.
 *
 * <p>{@code org.jdbi.v3.core} is an automatic module, but it declares its module name in its manifest, so the name is
 * stable and a real descriptor can require it; hence the suppressed lint.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.baton.jdbi {
    requires static transitive org.jspecify;
    requires transitive dev.baton.core;
    requires transitive org.jdbi.v3.core;
    requires org.slf4j;
    requires transitive java.sql;

    exports dev.baton.jdbi;
}
