package dev.baton.redis;

import dev.baton.internal.Pass;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

/**
 * Waits for the queue's hint that there is something to take, on a connection of its own, and only while the worker has
 * free slots: a hint that a full worker swallowed would leave another one asleep. The hint is only that: what there is to
 * take, the exchange finds out.
 *
 * <p>The connection goes to the node that owns the queue. The wait is bounded, and the socket's timeout is a little longer
 * than the wait: after a failover a blocked connection would otherwise hang for ever. After any failure it is dropped, and
 * the next one goes to whoever owns the queue then.
 */
final class WakePass implements Pass {
    private static final Logger log = LoggerFactory.getLogger(WakePass.class);
    /** Short, so that a master that hangs is noticed soon; costs an idle worker half a call a second. */
    private static final int WAIT_SECONDS = 2;

    private static final int SOCKET_TIMEOUT_MS = (WAIT_SECONDS + 1) * 1_000;

    private final RedisJobQueue queue;
    private final StartCheck check;
    private final Runnable wake;
    private volatile boolean hungry;
    private volatile boolean closed;
    private volatile @Nullable Connection connection;

    /**
     * A pass for one worker.
     *
     * @param check of each new connection
     * @param wake tells the exchange to look
     */
    WakePass(RedisJobQueue queue, StartCheck check, Runnable wake) {
        this.queue = queue;
        this.check = check;
        this.wake = wake;
    }

    /** The worker has free slots. */
    void hungry() {
        hungry = true;
    }

    @Override
    public Duration run() {
        if (!hungry || closed) {
            return Duration.ofMinutes(1);
        }
        if (waitForHint()) {
            hungry = false;
            wake.run();
        }
        return Duration.ZERO;
    }

    /** Ends a wait in progress; for any thread. */
    void interrupt() {
        closed = true;
        Connection current = connection;
        if (current != null) {
            try {
                current.forceDisconnect();
            } catch (IOException e) {
                log.debug("closing a socket failed", e);
            }
        }
    }

    /** Gives the connection back; after the loop has ended. */
    void close() {
        drop(connection);
    }

    private boolean waitForHint() {
        Connection used = connect();
        try {
            used.sendCommand(
                    new CommandArguments(Command.BLPOP).key(queue.keys().wake()).add(WAIT_SECONDS));
            return used.getOne() != null;
        } catch (RuntimeException e) {
            drop(used);
            if (closed) {
                return false;
            }
            router().failed(queue.keys().wake(), used, e);
            throw e;
        }
    }

    private Connection connect() {
        Connection current = connection;
        if (current != null && leadsToTheOwner(current)) {
            return current;
        }
        drop(current);
        current = router().open(queue.keys().wake());
        current.setSoTimeout(SOCKET_TIMEOUT_MS);
        connection = current;
        check.connected(current);
        // For what was said while nobody listened.
        wake.run();
        return current;
    }

    /** A master that was replaced but has not heard of it would go on saying that there is nothing. */
    private boolean leadsToTheOwner(Connection current) {
        return !current.isBroken()
                && current.isConnected()
                && router().node(queue.keys().wake()).equals(current.getHostAndPort());
    }

    private Router router() {
        return queue.queues().router();
    }

    private void drop(@Nullable Connection used) {
        connection = null;
        if (used != null) {
            used.setBroken();
            used.close();
        }
    }
}
