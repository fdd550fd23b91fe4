package dev.baton.redis;

import dev.baton.internal.Names;
import dev.baton.internal.Rests;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisClientConfig;

/**
 * Where Redis is and how to talk to it: one server, a master that Sentinels watch over, or a cluster. Immutable.
 *
 * <p>A URI is {@code redis://user:password@host:port/database}, or {@code rediss://..} for TLS; user, password and
 * database may be missing. If there are several, they differ in host and port only.
 *
 * <pre>{@code
 * RedisServers servers = RedisServers.sentinel("mymaster", Set.of(a, b, c)).withCredentials("shop", password);
 * RedisQueues queues = RedisQueues.connect(servers, "shop");
 * }</pre>
 *
 * <p><b>Outages.</b> No server is asked before it is needed. One that cannot be reached, or says that it is not the one to
 * ask, loses its connections, and the name service, the Sentinels or the cluster are asked again. Workers and relays try
 * after 150 ms, then ever later up to 2 s, half of it random: at most four times a second, and within 2 s of its return.
 *
 * <p><b>Delivery.</b> Redis answers first and replicates then. A failover forgets the last moments: jobs enqueued then are
 * gone until a relay hands them over again, and jobs completed then start once more. {@code min-replicas-to-write} and
 * {@code min-replicas-max-lag} on the servers bound these moments.
 */
public final class RedisServers {
    private final Kind kind;
    private final String masterName;
    private final RedisUris uris;
    private final Access access;

    private enum Kind {
        SINGLE,
        SENTINEL,
        CLUSTER
    }

    private RedisServers(Kind kind, String masterName, RedisUris uris, Access access) {
        this.kind = kind;
        this.masterName = masterName;
        this.uris = uris;
        this.access = access;
    }

    /**
     * One server.
     *
     * @throws IllegalArgumentException if the URI is not of that form; the message shows no password
     */
    public static RedisServers single(URI uri) {
        return new RedisServers(Kind.SINGLE, "", RedisUris.of(Set.of(uri)), Access.DEFAULT);
    }

    /**
     * The master that these Sentinels watch over under this name. Not all of them need to be named, or be there.
     *
     * <p>A user and password in the URIs are the Sentinels' own; {@link #withCredentials} gives the master's. The scheme
     * and the database hold for the master.
     *
     * @throws IllegalArgumentException if there is no URI, or one is not of that form
     */
    public static RedisServers sentinel(String masterName, Set<URI> sentinels) {
        return new RedisServers(
                Kind.SENTINEL, Names.check("master name", masterName), RedisUris.of(sentinels), Access.DEFAULT);
    }

    /**
     * A cluster. Some of its nodes are enough; the others are found. A queue lies on one node as a whole.
     *
     * @throws IllegalArgumentException if there is no URI, or one is not of that form or names a database
     */
    public static RedisServers cluster(Set<URI> nodes) {
        RedisUris uris = RedisUris.of(nodes);
        if (uris.database() != 0) {
            throw new IllegalArgumentException("the Redis URI names database " + uris.database()
                    + "; a cluster has only database 0: leave it out");
        }
        return new RedisServers(Kind.CLUSTER, "", uris, Access.DEFAULT);
    }

    /**
     * The ACL user of the nodes, instead of one in the URIs.
     *
     * @param user null for the default user
     */
    public RedisServers withCredentials(@Nullable String user, String password) {
        return new RedisServers(kind, masterName, uris, access.withCredentials(user, password));
    }

    /**
     * Which certificates to trust; the trust store of the JVM by default.
     *
     * @param file in a format that the JVM knows, such as PKCS #12; read for each new connection
     * @throws IllegalArgumentException if it is no file, or the URIs are not {@code rediss://..}
     */
    public RedisServers withTrustStore(Path file, String password) {
        return with(new Tls(new Tls.Store(file, password), access.tls().own()));
    }

    /**
     * The certificate and key to show to a server that asks for one; none by default.
     *
     * @param file as above
     * @throws IllegalArgumentException if it is no file, or the URIs are not {@code rediss://..}
     */
    public RedisServers withKeyStore(Path file, String password) {
        return with(new Tls(access.tls().trusted(), new Tls.Store(file, password)));
    }

    /**
     * How long to wait for a connection, and for an answer; 2 s each by default. A master that hangs costs as much.
     *
     * @throws IllegalArgumentException if one is not between a millisecond and a minute
     */
    public RedisServers withTimeouts(Duration connect, Duration answer) {
        return new RedisServers(kind, masterName, uris, access.withTimeouts(connect, answer));
    }

    /**
     * How long a thread looks for the answer of a nearby Redis before it sleeps until it is there; 100 microseconds by
     * default. That makes a single call two to three times as fast on a virtual machine, where it costs the most to wake a thread,
     * for about as much processor time. One thread of a {@link RedisQueues} looks at a time, it gives way to other threads
     * of the machine, and where answers take longer the looking stops by itself. None with TLS, or on a single processor.
     *
     * @param atMost zero for none
     * @throws IllegalArgumentException if it is not between zero and a millisecond
     */
    public RedisServers withBusyPoll(Duration atMost) {
        return new RedisServers(kind, masterName, uris, access.withBusyPoll(atMost));
    }

    /**
     * How long a worker waits before it tries again what failed: after the first failure and at most; it doubles in between,
     * and half of it is random. From 150 ms to 2 s by default. As soon as one of a worker's connections gets an answer, the
     * others try again at once, and all of them as soon as the Sentinels name another master.
     *
     * @throws IllegalArgumentException if the first is not between 100 ms and the longest, or that is longer than ten minutes
     */
    public RedisServers withReconnect(Duration first, Duration longest) {
        return new RedisServers(kind, masterName, uris, access.withRests(new Rests(first, longest)));
    }

    /** Names the servers, never a user or password. */
    @Override
    public String toString() {
        return switch (kind) {
            case SINGLE -> "Redis at " + uris.addresses().get(0);
            case SENTINEL -> "Redis master " + masterName + " of the Sentinels at " + uris.addresses();
            case CLUSTER -> "Redis cluster at " + uris.addresses();
        };
    }

    /** @param recovery told by who knows of it */
    Topology topology(Recovery recovery) {
        return switch (kind) {
            case SINGLE -> new OneServer(uris.addresses().get(0));
            case SENTINEL ->
                SentinelMaster.watch(
                        masterName, uris.addresses(), withUriCredentials().config(uris.encrypted(), 0), recovery);
            case CLUSTER -> new ClusterSlots(uris.addresses(), config());
        };
    }

    JedisClientConfig config() {
        boolean own = kind == Kind.SENTINEL || access.credentials() != null;
        return (own ? access : withUriCredentials()).config(uris.encrypted(), uris.database());
    }

    Rests rests() {
        return access.rests();
    }

    Nodes nodes() {
        return new Nodes(config(), access.answer(), busyPoll());
    }

    BusyPoll.Gate busyPoll() {
        return new BusyPoll.Gate(access.busyPoll(), Runtime.getRuntime().availableProcessors(), System::nanoTime);
    }

    private RedisServers with(Tls tls) {
        if (!uris.encrypted()) {
            throw new IllegalArgumentException("TLS is set, but the Redis URI has the scheme redis; use rediss");
        }
        return new RedisServers(kind, masterName, uris, access.withTls(tls));
    }

    private Access withUriCredentials() {
        return access.withoutCredentials().withCredentials(uris.user(), uris.password());
    }
}
