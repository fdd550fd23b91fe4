package dev.baton.redis;

import dev.baton.internal.FailureLog;
import dev.baton.internal.Loop;
import dev.baton.internal.Rests;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;

/**
 * The master that the Sentinels name. They are asked anew whenever it failed or refused, and twice a second in any case: a
 * master that hangs says nothing, and of a subscription an event can be missed, an answer cannot. Another master than before,
 * or any after the Sentinels themselves were away, ends the rests of those whom the old one failed.
 */
final class SentinelMaster implements Topology {
    private static final Logger log = LoggerFactory.getLogger(SentinelMaster.class);
    private static final Duration REST = Duration.ofMillis(500);

    private final String name;
    private final Guides<HostAndPort> sentinels;
    private final Recovery recovery;
    private final Loop watch;
    private volatile @Nullable HostAndPort master;
    private volatile @Nullable HostAndPort logged;

    private SentinelMaster(
            String name, Collection<HostAndPort> sentinels, JedisClientConfig config, Recovery recovery) {
        this.name = name;
        this.sentinels = new Guides<>(sentinels, config, (guide, sentinel) -> masterKnownTo(sentinel));
        this.recovery = recovery;
        this.watch = new Loop("baton-sentinel-" + name, this::look, new FailureLog(), Rests.DEFAULT, recovery::back);
    }

    /** Nothing is known yet, but is being asked for from now on. */
    static SentinelMaster watch(
            String name, Collection<HostAndPort> sentinels, JedisClientConfig config, Recovery recovery) {
        SentinelMaster master = new SentinelMaster(name, sentinels, config, recovery);
        master.watch.start();
        return master;
    }

    @Override
    public HostAndPort owner(int slot) {
        HostAndPort known = master;
        return known != null ? known : ask();
    }

    @Override
    public void doubt(HostAndPort node) {
        if (node.equals(master)) {
            master = null;
            // Right after a failover one Sentinel may not have heard of it.
            sentinels.next();
        }
    }

    @Override
    public void moved(int slot, HostAndPort to) {
        throw new IllegalStateException(
                "master " + name + " is a node of a cluster; connect with RedisServers.cluster(..)");
    }

    @Override
    public void close() {
        watch.close();
    }

    private Duration look() {
        ask();
        return REST;
    }

    private HostAndPort ask() {
        HostAndPort now = sentinels.ask();
        master = now;
        if (!Objects.equals(now, logged)) {
            logged = now;
            log.info("master {} is {}", name, now);
            recovery.back();
        }
        return now;
    }

    private @Nullable HostAndPort masterKnownTo(Connection sentinel) {
        CommandArguments question = new CommandArguments(Command.SENTINEL)
                .add("get-master-addr-by-name")
                .add(name);
        List<String> address = sentinel.executeCommand(new CommandObject<>(question, BuilderFactory.STRING_LIST));
        return address == null ? null : new HostAndPort(address.get(0), Integer.parseInt(address.get(1)));
    }
}
