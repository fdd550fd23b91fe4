/**
 * What Baton knows without any driver: events and routes, the relay engine, the job model, the error classes, the
 * retry policy and the dead-letter model.
 *
 * <p>{@code io.opentelemetry.api} and {@code com.cronutils} are automatic modules, but they declare their module names in
 * their manifests, so the names are stable and a real descriptor can require them; hence the suppressed lints. The modules that may see {@code internal}
 * are built after this one, so the compiler cannot know them yet; hence the other.
 */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.baton.core {
    requires static com.cronutils;
    requires static transitive org.jspecify;
    requires io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires org.slf4j;
    // For HttpResponse and for SQLSTATE: interfaces of the JDK, no drivers.
    requires transitive java.net.http;
    requires java.sql;
    requires tools.jackson.databind;

    exports dev.baton.deadletter;
    exports dev.baton.failure;
    exports dev.baton.job;
    exports dev.baton.outbox;
    exports dev.baton.relay;
    exports dev.baton.trace;
    exports dev.baton.webhook;
    exports dev.baton.internal to
            dev.baton.jdbi,
            dev.baton.redis;
}
