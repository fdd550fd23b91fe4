/**
 * Job queues in Redis, through Jedis.
 *
 * <p>{@code redis.clients.jedis} and {@code com.cronutils} are automatic modules, but they declare their module names in
 * their manifests, so the names are stable and a real descriptor can require them; hence the suppressed lints.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.baton.redis {
    requires static transitive org.jspecify;
    requires transitive dev.baton.core;
    // Not for itself: with it the core reads the cron expressions of schedules.
    requires com.cronutils;
    requires redis.clients.jedis;
    requires org.apache.commons.pool2;
    requires org.slf4j;

    exports dev.baton.redis;
}
