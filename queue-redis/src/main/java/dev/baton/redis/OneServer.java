package dev.baton.redis;

import redis.clients.jedis.HostAndPort;

/** A single server, or a name behind which a provider exchanges it: then each new connection resolves the name again. */
record OneServer(HostAndPort server) implements Topology {
    @Override
    public HostAndPort owner(int slot) {
        return server;
    }

    @Override
    public void doubt(HostAndPort node) {}

    @Override
    public void moved(int slot, HostAndPort to) {
        throw new IllegalStateException(
                "Redis at " + server + " is a node of a cluster; connect with RedisServers.cluster(..)");
    }

    @Override
    public void close() {}
}
