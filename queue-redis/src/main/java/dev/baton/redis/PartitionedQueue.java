package dev.baton.redis;

import dev.baton.job.EnqueueAnswer;
import dev.baton.job.JobQueue;
import dev.baton.job.NewJob;
import dev.baton.outbox.Event;
import dev.baton.relay.Route;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.params.SetParams;

/**
 * One logical queue over several partitions, each a queue of its own: in a cluster they lie on different nodes, and a
 * process may serve only some of them. Jobs with the same ordering key are always in the same partition, so their order
 * holds as in one queue; so is a job with the same unique id and the same key, or none.
 *
 * <p><b>Which partition.</b> {@code Math.floorMod(text.hashCode(), partitions)}, where the text is the job's ordering key, or
 * else its unique id, or else its id. Java defines {@link String#hashCode}, so every version and process agrees.
 *
 * <p><b>How many.</b> The number is kept in Redis with the first job, and another one is refused: with it a key would move to
 * another partition while jobs of it wait in the old one. {@code docs/partitions.md} says how to change it.
 *
 * <p><b>Threads.</b> Thread-safe.
 */
public final class PartitionedQueue implements JobQueue {
    private static final int MOST = 1_000;

    private final RedisQueues queues;
    private final String name;
    private final List<RedisJobQueue> partitions;
    private volatile boolean checked;

    PartitionedQueue(RedisQueues queues, String name, int partitions) {
        if (partitions < 1 || partitions > MOST) {
            throw new IllegalArgumentException(
                    "queue " + name + " has " + partitions + " partitions; there must be between 1 and " + MOST);
        }
        this.queues = queues;
        this.name = name;
        this.partitions = IntStream.range(0, partitions)
                .mapToObj(i -> RedisJobQueue.partition(queues, name, i))
                .toList();
    }

    @Override
    public String name() {
        return name;
    }

    /** The partitions, by their number; each with settings, counts and administration of its own. */
    public List<RedisJobQueue> partitions() {
        return partitions;
    }

    /** The partition of an ordering key. */
    public RedisJobQueue partition(String orderingKey) {
        return partitions.get(index(orderingKey));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Each partition gets its jobs in their order, in chunks of its own.
     *
     * @throws IllegalArgumentException if a payload is too large or holds half a surrogate pair; nothing is enqueued then
     * @throws IllegalStateException if the queue has another number of partitions in Redis; nothing is enqueued then
     * @throws redis.clients.jedis.exceptions.JedisException if Redis cannot be reached
     */
    @Override
    public List<EnqueueAnswer> enqueue(List<NewJob> jobs) {
        jobs.forEach(partitions.get(0)::check);
        checkNumber();
        Map<Integer, List<Integer>> places = new TreeMap<>();
        for (int i = 0; i < jobs.size(); i++) {
            places.computeIfAbsent(index(jobs.get(i)), index -> new ArrayList<>())
                    .add(i);
        }
        List<@Nullable EnqueueAnswer> answers = new ArrayList<>(Collections.nCopies(jobs.size(), null));
        places.forEach((index, those) -> {
            List<EnqueueAnswer> some =
                    partitions.get(index).enqueue(those.stream().map(jobs::get).toList());
            for (int i = 0; i < some.size(); i++) {
                answers.set(those.get(i), some.get(i));
            }
        });
        return List.copyOf(answers);
    }

    /**
     * The routes that bring a topic's events here: {@code builder.route("order.paid",
     * issuance.routes("issue", Event::aggregateId))}. Each partition is a target of its own, so each gets its events exactly
     * once and is healed by itself.
     *
     * @param jobName which handler runs there
     * @param key the ordering key of the jobs, which decides on the partition
     */
    public Route[] routes(String jobName, Function<Event, String> key) {
        return IntStream.range(0, partitions.size())
                .mapToObj(i ->
                        Route.to(partitions.get(i), jobName).orderedBy(key).when(event -> index(key.apply(event)) == i))
                .toArray(Route[]::new);
    }

    /** The sum over all partitions; one call to Redis for each. */
    public QueueCounts counts() {
        return partitions.stream()
                .map(RedisJobQueue::counts)
                .reduce(QueueCounts::plus)
                .orElseThrow();
    }

    /**
     * Starts a worker per partition. A {@code ThrottledException} in one of them holds all partitions, also those that are served
     * elsewhere.
     *
     * @param settings what each worker is given: handlers, concurrency (of each partition), dead letters
     * @throws IllegalStateException if the queue has another number of partitions in Redis
     */
    public RedisWorkers startWorkers(Consumer<RedisWorkerBuilder> settings) {
        return startWorkers(IntStream.range(0, partitions.size()).boxed().toList(), settings);
    }

    /**
     * Starts a worker for each of these partitions. Each partition of the queue must be served by some process.
     *
     * @param numbers from 0
     * @throws IllegalArgumentException if there is no such partition
     * @throws IllegalStateException if the queue has another number of partitions in Redis
     */
    public RedisWorkers startWorkers(Collection<Integer> numbers, Consumer<RedisWorkerBuilder> settings) {
        for (int number : numbers) {
            if (number < 0 || number >= partitions.size()) {
                throw new IllegalArgumentException("there is no partition " + number + " of queue " + name
                        + "; it must be between 0 and " + (partitions.size() - 1));
            }
        }
        checkNumber();
        return RedisWorkers.start(
                numbers.stream().distinct().map(partitions::get).toList(), partitions, settings);
    }

    private int index(NewJob job) {
        String key = job.options().orderingKey();
        String unique = job.options().uniqueId();
        return index(key != null ? key : unique != null ? unique : job.id());
    }

    private int index(String text) {
        return Math.floorMod(text.hashCode(), partitions.size());
    }

    /** Once per instance: the number never changes under its name. */
    private void checkNumber() {
        if (checked) {
            return;
        }
        String key = new Keys(queues.prefix(), name).partitions();
        String ours = Integer.toString(partitions.size());
        queues.redis().set(key, ours, SetParams.setParams().nx());
        String stored = queues.redis().get(key);
        if (!ours.equals(stored)) {
            throw new IllegalStateException("queue " + name + " has " + stored + " partitions in Redis, not " + ours
                    + "; jobs of one key would be in two of them. To change the number, see docs/partitions.md");
        }
        checked = true;
    }
}
