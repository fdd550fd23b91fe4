package dev.baton.redis;

import dev.baton.redis.ServerCheck.Problem;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Checks the server of a worker: before the start, where the worst problems refuse it, and on each new connection, because
 * that may lead to another server. Each problem is told once.
 */
final class StartCheck {
    private static final Logger log = LoggerFactory.getLogger(StartCheck.class);

    private final RedisJobQueue queue;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    StartCheck(RedisJobQueue queue) {
        this.queue = queue;
    }

    /**
     * A server that cannot be reached is no reason not to start: its outage ends, and then it is checked.
     *
     * @throws IllegalStateException if it is too old or evicts keys
     */
    void beforeStart() {
        try (Connection connection = queue.queues().router().open(queue.keys().wake())) {
            List<Problem> problems = ServerCheck.of(connection, key());
            String refused = problems.stream()
                    .filter(Problem::refuses)
                    .map(Problem::text)
                    .collect(Collectors.joining("; "));
            if (!refused.isEmpty()) {
                throw new IllegalStateException(
                        "the worker of " + queue.name() + " does not start on " + queue.queues() + ": " + refused);
            }
            tell(connection, problems);
        } catch (JedisException e) {
            log.warn("{} cannot be asked yet; the worker of {} begins when it can", queue.queues(), queue.name(), e);
        }
    }

    /** Never fails: what is wrong with the connection, its user finds out. */
    void connected(Connection connection) {
        try {
            tell(connection, ServerCheck.of(connection, key()));
        } catch (JedisException e) {
            log.debug("the server of {} could not be checked", queue.name(), e);
        }
    }

    private void tell(Connection connection, List<Problem> problems) {
        for (Problem problem : problems) {
            String text = connection.getHostAndPort() + ": " + problem.text();
            if (told.add(text)) {
                log.error("the queue {} is in danger on {}", queue.name(), text);
            }
        }
    }

    private String key() {
        return queue.keys().session("check");
    }
}
