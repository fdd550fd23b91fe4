package dev.baton.redis;

import java.util.Set;
import java.util.function.Function;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.executors.CommandExecutor;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Sends each command to the node that owns its keys.
 *
 * <p>It takes the place of Jedis's own Sentinel and Cluster clients because those refuse to exist while no server answers,
 * and because they keep a connection that answers {@code READONLY} or {@code LOADING}: the old master would be asked for
 * ever. Here such an answer, like a broken connection, gives up all connections to that node and asks anew who is in
 * charge. A command is sent again only if the server says that it did nothing ({@code MOVED}, {@code ASK}); repeating after
 * a lost reply is up to the caller, who knows what it means. Thread-safe.
 */
final class Router implements CommandExecutor {
    private static final int REDIRECTIONS = 5;

    private final Topology topology;
    private final Nodes nodes;

    Router(Topology topology, Nodes nodes) {
        this.topology = topology;
        this.nodes = nodes;
    }

    @Override
    public <T> T executeCommand(CommandObject<T> command) {
        int slot = slot(command.getArguments());
        HostAndPort node = topology.owner(slot);
        boolean asking = false;
        for (int left = REDIRECTIONS; ; left--) {
            try {
                return execute(command, slot, node, asking);
            } catch (JedisRedirectionException e) {
                if (left == 0) {
                    throw e;
                }
                asking = e instanceof JedisAskDataException;
                node = e.getTargetNode();
            }
        }
    }

    /** A connection of its own to the node that owns the key; the caller closes it, and tells {@link #failed}. */
    Connection open(String key) {
        int slot = JedisClusterCRC16.getSlot(key);
        return connection(slot, topology.owner(slot), nodes::open);
    }

    /** Who would be asked about this key. */
    HostAndPort node(String key) {
        return topology.owner(JedisClusterCRC16.getSlot(key));
    }

    /** What a connection that was opened for this key has met with. */
    void failed(String key, Connection connection, RuntimeException e) {
        failed(JedisClusterCRC16.getSlot(key), connection.getHostAndPort(), e);
    }

    Nodes nodes() {
        return nodes;
    }

    @Override
    public void close() {
        topology.close();
        nodes.close();
    }

    private <T> T execute(CommandObject<T> command, int slot, HostAndPort node, boolean asking) {
        try (Connection connection = connection(slot, node, nodes::borrow)) {
            try {
                if (asking) {
                    connection.executeCommand(Command.ASKING);
                }
                return connection.executeCommand(command);
            } catch (JedisException e) {
                if (WrongNode.isMeantBy(e)) {
                    connection.setBroken();
                }
                // Before it goes back: a pool that loses a connection makes another at once, and would wait as long
                // again.
                failed(slot, node, e);
                throw e;
            }
        }
    }

    private Connection connection(int slot, HostAndPort node, Function<HostAndPort, Connection> source) {
        try {
            return source.apply(node);
        } catch (JedisException e) {
            failed(slot, node, e);
            throw e;
        }
    }

    private void failed(int slot, HostAndPort node, RuntimeException e) {
        if (e instanceof JedisMovedDataException moved) {
            topology.moved(slot, moved.getTargetNode());
        } else if (WrongNode.isMeantBy(e)) {
            nodes.giveUp(node);
            topology.doubt(node);
        }
    }

    /** Commands without a key, such as {@code PING}, go to whoever owns slot 0. */
    private static int slot(CommandArguments arguments) {
        Set<Integer> slots = arguments.getKeyHashSlots();
        if (slots.size() > 1) {
            throw new IllegalArgumentException(
                    "the keys of one " + arguments.getCommand() + " lie in " + slots.size() + " slots; one is allowed");
        }
        return slots.isEmpty() ? 0 : slots.iterator().next();
    }
}
