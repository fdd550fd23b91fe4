package dev.baton.redis;

import dev.baton.job.EnqueueAnswer;
import dev.baton.job.JobQueue;
import dev.baton.job.NewJob;
import dev.baton.job.Schedules;
import dev.baton.relay.Delivery;
import dev.baton.relay.ExactSink;
import dev.baton.relay.SinkAnswer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A queue in Redis. The relay can use it as a sink that gets each event exactly once: the queue remembers the last batch
 * of each shard, and the event's id becomes the job's id.
 *
 * <p><b>Threads.</b> Thread-safe; holds no connection of its own.
 */
public final class RedisJobQueue implements JobQueue, ExactSink {
    /** Jobs per script: keeps every script short, whatever a caller asks for. */
    static final int CHUNK = 100;

    /** And so many bytes of payload, unless one job has more. */
    private static final int CHUNK_BYTES = 2 * 1024 * 1024;

    /** What {@link #addTo} adds. */
    static final int JOB_WORDS = 3;

    private final RedisQueues queues;
    private final String name;
    private final Keys keys;
    private final Payloads payloads;

    private RedisJobQueue(RedisQueues queues, String name, Keys keys, Payloads payloads) {
        this.queues = queues;
        this.name = name;
        this.keys = keys;
        this.payloads = payloads;
    }

    static RedisJobQueue of(RedisQueues queues, String name) {
        return new RedisJobQueue(queues, name, new Keys(queues.prefix(), name), Payloads.DEFAULT);
    }

    static RedisJobQueue partition(RedisQueues queues, String name, int number) {
        Keys keys = new Keys(queues.prefix(), name, number);
        return new RedisJobQueue(queues, name + "#" + number, keys, Payloads.DEFAULT);
    }

    /**
     * The same queue, for callers that may enqueue payloads of so many bytes; 256 KB otherwise. Workers need not know it.
     *
     * @throws IllegalArgumentException if it is not between 1 byte and 16 MB
     */
    public RedisJobQueue maxPayload(int bytes) {
        return new RedisJobQueue(queues, name, keys, new Payloads(bytes));
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if a payload is larger than {@link #maxPayload allowed} or holds half a surrogate
     *     pair; nothing is enqueued then
     * @throws redis.clients.jedis.exceptions.JedisException if Redis cannot be reached
     */
    @Override
    public List<EnqueueAnswer> enqueue(List<NewJob> jobs) {
        List<EnqueueAnswer> answers = new ArrayList<>(jobs.size());
        for (List<NewJob> chunk : chunks(jobs)) {
            answers.addAll(enqueueChunk(chunk));
        }
        return answers;
    }

    /** One job per delivery, with the event's id and headers. */
    @Override
    public List<SinkAnswer> accept(List<Delivery> deliveries) {
        return new Deliveries(this).accept(deliveries);
    }

    @Override
    public Memory memory(String owner) {
        return new Deliveries(this).memory(owner);
    }

    @Override
    public Optional<Memory> handOver(Batch batch) {
        return new Deliveries(this).handOver(batch);
    }

    @Override
    public @Nullable String objection(Delivery delivery) {
        return new Deliveries(this).objection(delivery);
    }

    /** How many jobs are in each state, and how often each thing happened. One call to Redis. */
    public QueueCounts counts() {
        List<String> arguments = List.of(queues.now(), keys.tag());
        return QueueCounts.of((List<?>) Script.COUNTS.call(queues.redis(), keys.counts(), arguments));
    }

    /** What holds for all workers of this queue: pause, limits, order under retry, retention. */
    public QueueSettings settings() {
        return new QueueSettings(queues, keys);
    }

    /** Looks at single jobs and deals with them by hand. */
    public QueueAdmin admin() {
        return new QueueAdmin(this);
    }

    /** Jobs that are enqueued again and again; each worker of this queue fires them. */
    public Schedules schedules() {
        return new RedisSchedules(this);
    }

    /** Two objects for one queue are the same sink. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RedisJobQueue queue
                && queue.queues == queues
                && queue.keys.tag().equals(keys.tag());
    }

    @Override
    public int hashCode() {
        return keys.tag().hashCode();
    }

    Keys keys() {
        return keys;
    }

    RedisQueues queues() {
        return queues;
    }

    /** Checks the payload; answers its bytes. */
    long check(NewJob job) {
        return payloads.check(job);
    }

    /** What one script takes at most, in order. Checks all jobs before any is enqueued. */
    List<List<NewJob>> chunks(List<NewJob> jobs) {
        List<List<NewJob>> chunks = new ArrayList<>();
        int from = 0;
        long bytes = 0;
        for (int i = 0; i < jobs.size(); i++) {
            long size = check(jobs.get(i));
            if (i > from && (i - from == CHUNK || bytes + size > CHUNK_BYTES)) {
                chunks.add(jobs.subList(from, i));
                from = i;
                bytes = 0;
            }
            bytes += size;
        }
        if (from < jobs.size()) {
            chunks.add(jobs.subList(from, jobs.size()));
        }
        return chunks;
    }

    private List<EnqueueAnswer> enqueueChunk(List<NewJob> jobs) {
        List<String> arguments = new ArrayList<>(2 + JOB_WORDS * jobs.size());
        arguments.add(queues.now());
        arguments.add(keys.tag());
        jobs.forEach(job -> addTo(arguments, job));
        List<?> duplicates = (List<?>) Script.ENQUEUE.call(queues.redis(), keys.enqueue(), arguments);
        List<EnqueueAnswer> answers = new ArrayList<>(Collections.nCopies(jobs.size(), EnqueueAnswer.ACCEPTED));
        duplicates.forEach(place -> answers.set(((Long) place).intValue() - 1, EnqueueAnswer.DUPLICATE));
        return answers;
    }

    /** The words of a job, as {@code enqueue.lua} takes them. */
    static void addTo(List<String> arguments, NewJob job) {
        arguments.add(job.id());
        arguments.add(JobRecord.place(job));
        arguments.add(JobRecord.body(job));
    }
}
