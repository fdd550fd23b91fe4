package dev.baton.redis;

import dev.baton.job.EnqueueAnswer;
import dev.baton.job.JobOptions;
import dev.baton.job.JobQueue;
import dev.baton.job.NewJob;
import dev.baton.job.Schedules;
import dev.baton.relay.Delivery;
import dev.baton.relay.Sink;
import dev.baton.relay.SinkAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A queue in Redis. The relay can use it as a sink: the event's id becomes the job's id, so an event that is handed over
 * again while its job is alive is recognised.
 *
 * <p><b>Threads.</b> Thread-safe; holds no connection of its own.
 */
public final class RedisJobQueue implements JobQueue, Sink {
    /** Jobs per script: keeps every script short, whatever a caller asks for. */
    static final int CHUNK = 200;

    private final RedisQueues queues;
    private final String name;
    private final Keys keys;

    RedisJobQueue(RedisQueues queues, String name) {
        this.queues = queues;
        this.name = name;
        this.keys = new Keys(queues.prefix(), name);
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if a payload is larger than 256 KB or holds half a surrogate pair; nothing is
     *     enqueued then
     * @throws redis.clients.jedis.exceptions.JedisException if Redis cannot be reached
     */
    @Override
    public List<EnqueueAnswer> enqueue(List<NewJob> jobs) {
        jobs.forEach(Payloads::check);
        List<EnqueueAnswer> answers = new ArrayList<>(jobs.size());
        for (int from = 0; from < jobs.size(); from += CHUNK) {
            answers.addAll(enqueueChunk(jobs.subList(from, Math.min(jobs.size(), from + CHUNK))));
        }
        return answers;
    }

    /** One job per delivery, with the event's id, payload and headers. */
    @Override
    public List<SinkAnswer> accept(List<Delivery> deliveries) {
        List<SinkAnswer> answers = new ArrayList<>(deliveries.size());
        List<NewJob> jobs = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            NewJob job = new NewJob(
                    delivery.event().id().toString(),
                    delivery.jobName(),
                    delivery.event().payload(),
                    delivery.event().headers(),
                    JobOptions.DEFAULT);
            SinkAnswer answer = checked(job);
            answers.add(answer);
            if (answer instanceof SinkAnswer.Accepted) {
                jobs.add(job);
            }
        }
        return merge(answers, enqueue(jobs));
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
        return new RedisSchedules(queues, keys);
    }

    Keys keys() {
        return keys;
    }

    RedisQueues queues() {
        return queues;
    }

    private List<EnqueueAnswer> enqueueChunk(List<NewJob> jobs) {
        List<String> arguments = new ArrayList<>(2 + 6 * jobs.size());
        arguments.add(queues.now());
        arguments.add(keys.tag());
        for (NewJob job : jobs) {
            arguments.add(job.id());
            arguments.add(due(job.options()));
            arguments.addAll(JobRecord.words(job));
        }
        List<?> words = (List<?>) Script.ENQUEUE.call(queues.redis(), keys.enqueue(), arguments);
        return words.stream()
                .map(word -> EnqueueAnswer.valueOf(((String) word).toUpperCase(Locale.ROOT)))
                .toList();
    }

    /** A delay is counted by the server, so the clock of this host does not matter to it. */
    private static String due(JobOptions options) {
        Instant at = options.at();
        return at == null ? "+" + Math.max(0, options.delay().toMillis()) : "@" + Math.max(0, at.toEpochMilli());
    }

    private static SinkAnswer checked(NewJob job) {
        try {
            Payloads.check(job);
            return SinkAnswer.ACCEPTED;
        } catch (IllegalArgumentException e) {
            return new SinkAnswer.Rejected(String.valueOf(e.getMessage()));
        }
    }

    /** The queue's answers, in the places of those deliveries that it was asked about. */
    private static List<SinkAnswer> merge(List<SinkAnswer> checked, List<EnqueueAnswer> enqueued) {
        List<SinkAnswer> merged = new ArrayList<>(checked.size());
        int next = 0;
        for (SinkAnswer answer : checked) {
            boolean duplicate =
                    answer instanceof SinkAnswer.Accepted && enqueued.get(next++) == EnqueueAnswer.DUPLICATE;
            merged.add(duplicate ? SinkAnswer.DUPLICATE : answer);
        }
        return merged;
    }
}
