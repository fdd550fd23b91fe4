package dev.baton.redis;

import dev.baton.internal.Loop;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Tells relays in other processes that something was committed: {@code new JdbiOutboxWriter(signal::send)} where events are
 * written, {@code signal.listen(relay::nudge)} where a relay runs.
 *
 * <p>It is a message to all who listen (Redis {@code PUBLISH}), sent by a thread of its own and at most one in
 * {@value #QUIET_MS} ms, so the writer's transaction and its commit pay nothing for it. PostgreSQL's {@code NOTIFY} would: in
 * the transaction it makes all commits of the database wait for each other, and listening pins a connection that no pooler
 * can share.
 *
 * <p>Only a hint: a lost one costs one poll of the relay. While the server is away, nobody waits for it: the thread tries ever
 * more rarely, at most five times a second.
 *
 * <p><b>Threads.</b> Thread-safe; one daemon thread to send, and one per listener.
 */
public final class RedisSignal implements AutoCloseable {
    static final int QUIET_MS = 5;

    private static final Logger log = LoggerFactory.getLogger(RedisSignal.class);
    // A connection on which nothing was heard for so long may be dead: it is replaced.
    private static final int LONGEST_SILENCE_MS = 30_000;

    private final RedisQueues queues;
    private final String channel;
    private final AtomicBoolean pending = new AtomicBoolean();
    private final Loop sender;
    private @Nullable Loop listener;
    private volatile @Nullable Connection connection;

    RedisSignal(RedisQueues queues, String name) {
        this.queues = queues;
        this.channel = new Keys(queues.prefix(), name).tag() + ":signal";
        this.sender = new Loop("baton-signal-send", this::sendPending).start();
    }

    /** Wakes all listeners, in this process and others. Never blocks, never throws. */
    public void send() {
        if (pending.compareAndSet(false, true)) {
            sender.nudge();
        }
    }

    /**
     * Runs something at each signal, and whenever some may have been missed, until this object is closed; once only.
     *
     * @param onSignal must be quick, such as a relay's nudge
     */
    public synchronized RedisSignal listen(Runnable onSignal) {
        if (listener != null) {
            throw new IllegalStateException("this signal has a listener already; make another one for another relay");
        }
        listener = new Loop("baton-signal-listen", () -> hear(onSignal)).start();
        return this;
    }

    @Override
    public synchronized void close() {
        sender.close();
        if (listener != null) {
            listener.stop();
            Connection current = connection;
            if (current != null) {
                disconnect(current);
            }
            listener.close();
            drop();
        }
    }

    private Duration sendPending() {
        if (!pending.getAndSet(false)) {
            return Duration.ofMinutes(1);
        }
        try {
            queues.redis().publish(channel, "");
        } catch (JedisException e) {
            // The loop rests ever longer, whatever is written meanwhile; this one is still to be sent.
            pending.set(true);
            throw e;
        }
        // Nobody nudges while one is pending, so this is a real rest.
        return Duration.ofMillis(QUIET_MS);
    }

    private Duration hear(Runnable onSignal) {
        Connection used = connect();
        try {
            used.getOne();
            onSignal.run();
            return Duration.ZERO;
        } catch (RuntimeException e) {
            drop();
            if (listener != null && listener.stopping()) {
                return Duration.ofMinutes(1);
            } else if (e.getCause() instanceof java.net.SocketTimeoutException) {
                return Duration.ZERO;
            }
            queues.router().failed(channel, used, e);
            throw e;
        }
    }

    private Connection connect() {
        Connection current = connection;
        if (current != null && current.isConnected()) {
            return current;
        }
        current = queues.router().open(channel);
        connection = current;
        current.setSoTimeout(LONGEST_SILENCE_MS);
        current.sendCommand(new CommandArguments(Command.SUBSCRIBE).add(channel));
        return current;
    }

    private void drop() {
        Connection used = connection;
        connection = null;
        if (used != null) {
            used.setBroken();
            used.close();
        }
    }

    private static void disconnect(Connection current) {
        try {
            current.forceDisconnect();
        } catch (IOException e) {
            log.debug("closing a socket failed", e);
        }
    }
}
