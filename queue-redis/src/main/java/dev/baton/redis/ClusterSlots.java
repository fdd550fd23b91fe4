package dev.baton.redis;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisClusterException;

/**
 * The masters of a cluster by slot. A redirection changes the one slot that it is about: a node that is asked for the map
 * may not have heard of the move yet, and many moves must not become many questions. A failure throws the map away.
 */
final class ClusterSlots implements Topology {
    private final Guides<SlotMap> nodes;
    private volatile @Nullable SlotMap map;

    /** What one node says: who owns each slot, and which nodes there are, replicas included. */
    private record SlotMap(AtomicReferenceArray<HostAndPort> owners, Set<HostAndPort> all) {}

    /** Nothing is known yet but some nodes. */
    ClusterSlots(Collection<HostAndPort> some, JedisClientConfig config) {
        this.nodes = new Guides<>(some, config, ClusterSlots::mapOf);
    }

    @Override
    public HostAndPort owner(int slot) {
        SlotMap known = map;
        HostAndPort owner = (known != null ? known : ask()).owners.get(slot);
        if (owner == null) {
            map = null;
            throw new JedisClusterException("CLUSTERDOWN no node of the cluster owns slot " + slot
                    + "; look at CLUSTER INFO and assign it to one");
        }
        return owner;
    }

    @Override
    public void doubt(HostAndPort node) {
        map = null;
        nodes.last(node);
    }

    @Override
    public void moved(int slot, HostAndPort to) {
        SlotMap known = map;
        if (known != null) {
            known.owners.set(slot, to);
        }
    }

    @Override
    public void close() {}

    private SlotMap ask() {
        SlotMap told = nodes.ask();
        nodes.learn(told.all);
        map = told;
        return told;
    }

    private static @Nullable SlotMap mapOf(HostAndPort guide, Connection node) {
        List<?> ranges = (List<?>) BuilderFactory.ENCODED_OBJECT.build(
                node.executeCommand(new CommandArguments(Command.CLUSTER).add("SLOTS")));
        SlotMap told = new SlotMap(new AtomicReferenceArray<>(Protocol.CLUSTER_HASHSLOTS), new HashSet<>());
        for (Object range : ranges) {
            List<?> parts = (List<?>) range;
            HostAndPort master = address(guide, (List<?>) parts.get(2));
            for (long slot = (Long) parts.get(0); slot <= (Long) parts.get(1); slot++) {
                told.owners.set((int) slot, master);
            }
            parts.subList(2, parts.size()).forEach(part -> told.all.add(address(guide, (List<?>) part)));
        }
        // A node that was reset, or has not met the others yet, knows nothing.
        return ranges.isEmpty() ? null : told;
    }

    /** A node that does not know its own name means: the one under which you reached me. */
    private static HostAndPort address(HostAndPort guide, List<?> node) {
        Object host = node.get(0);
        boolean named = host != null && !"".equals(host) && !"?".equals(host);
        return new HostAndPort(named ? (String) host : guide.getHost(), ((Long) node.get(1)).intValue());
    }
}
