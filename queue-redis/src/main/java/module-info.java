/**
 * Job queues in Redis, through Jedis.
 *
 * <p>{@code redis.clients.jedis} is an automatic module, but it declares its module name in its manifest, so the name is
 * stable and a real descriptor can require it; hence the suppressed lint.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.baton.redis {
    requires static transitive org.jspecify;
    requires transitive dev.baton.core;
    requires redis.clients.jedis;
    requires org.apache.commons.pool2;
    requires org.slf4j;

    exports dev.baton.redis;
}
