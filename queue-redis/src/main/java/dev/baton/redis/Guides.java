package dev.baton.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The servers that know where the others are: Sentinels, or the nodes of a cluster. One caller asks at a time, starting
 * with the one that answered last, and at most five times a second; the outcome counts for everybody meanwhile. A hundred
 * threads that lost their master become one question, not a hundred. Thread-safe.
 *
 * @param <T> what they tell
 */
final class Guides<T> {
    private static final long COUNTS_NANOS = Duration.ofMillis(200).toNanos();

    private final Question<T> question;
    private final JedisClientConfig config;
    private final Set<HostAndPort> first;
    private final Deque<HostAndPort> inTurn;
    private @Nullable T answer;
    private @Nullable JedisException failure;
    private long askedAt;

    /** What is asked of one of them; null if it does not know. */
    interface Question<T> {
        /** Asks. */
        @Nullable
        T ask(HostAndPort guide, Connection connection);
    }

    /** None is asked yet. */
    Guides(Collection<HostAndPort> guides, JedisClientConfig config, Question<T> question) {
        this.question = question;
        this.config = config;
        this.first = Set.copyOf(guides);
        this.inTurn = new ArrayDeque<>(guides);
    }

    /**
     * The first answer.
     *
     * @throws JedisException if none has one, with what each of them said
     */
    synchronized T ask() {
        boolean counts = System.nanoTime() - askedAt < COUNTS_NANOS;
        if (counts && failure != null) {
            throw failure;
        }
        if (counts && answer != null) {
            return answer;
        }
        try {
            answer = askInTurn();
            failure = null;
            return answer;
        } catch (JedisException e) {
            failure = e;
            throw e;
        } finally {
            askedAt = System.nanoTime();
        }
    }

    /** Asks this one last: it failed, or what it said is old. */
    synchronized void last(HostAndPort guide) {
        if (inTurn.remove(guide)) {
            inTurn.addLast(guide);
        }
    }

    /** What was said last turned out to be wrong: another one may know better. */
    synchronized void next() {
        inTurn.addLast(inTurn.removeFirst());
    }

    /** From now on these are asked as well as the first ones; others are forgotten. */
    synchronized void learn(Collection<HostAndPort> others) {
        Set<HostAndPort> all = new LinkedHashSet<>(others);
        all.addAll(first);
        inTurn.retainAll(all);
        all.removeAll(inTurn);
        inTurn.addAll(all);
    }

    private T askInTurn() {
        JedisException none = new JedisConnectionException("none of " + inTurn + " can tell where to go");
        for (int left = inTurn.size(); left > 0; left--) {
            HostAndPort guide = inTurn.getFirst();
            try (Connection connection = new Connection(guide, config)) {
                T told = question.ask(guide, connection);
                if (told != null) {
                    return told;
                }
            } catch (JedisException e) {
                none.addSuppressed(e);
            }
            next();
        }
        throw none;
    }
}
