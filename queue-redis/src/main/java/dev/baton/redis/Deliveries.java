package dev.baton.redis;

import dev.baton.job.EnqueueAnswer;
import dev.baton.job.NewJob;
import dev.baton.relay.Delivery;
import dev.baton.relay.ExactSink.Batch;
import dev.baton.relay.ExactSink.Memory;
import dev.baton.relay.SinkAnswer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The queue as a relay sees it: one job per event, with the event's id. */
final class Deliveries {
    private static final String HEAD = "head";

    /** The place of a job that the queue remembers. */
    private static final String KNOWN = "=";

    private final RedisJobQueue queue;

    Deliveries(RedisJobQueue queue) {
        this.queue = queue;
    }

    List<SinkAnswer> accept(List<Delivery> deliveries) {
        List<NewJob> jobs = new ArrayList<>(deliveries.size());
        List<SinkAnswer> answers = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            String objection = objection(delivery);
            answers.add(objection == null ? SinkAnswer.ACCEPTED : new SinkAnswer.Rejected(objection));
            if (objection == null) {
                jobs.add(job(delivery));
            }
        }
        List<EnqueueAnswer> enqueued = queue.enqueue(jobs);
        int next = 0;
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof SinkAnswer.Accepted && enqueued.get(next++) == EnqueueAnswer.DUPLICATE) {
                answers.set(i, SinkAnswer.DUPLICATE);
            }
        }
        return answers;
    }

    /** What could not be a job; without payload data. */
    @Nullable
    String objection(Delivery delivery) {
        try {
            queue.check(job(delivery));
            return null;
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    Memory memory(String owner) {
        Map<String, String> fields = queue.queues().redis().hgetAll(queue.keys().relay(owner));
        String head = fields.remove(HEAD);
        if (head == null) {
            return Memory.NONE;
        }
        List<UUID> ids = new ArrayList<>();
        for (String some : fields.values()) {
            for (String id : some.isEmpty() ? new String[0] : some.split(" ", -1)) {
                ids.add(UUID.fromString(id));
            }
        }
        String[] numbers = head.split(" ", -1);
        return new Memory(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]), Long.parseLong(numbers[2]), ids);
    }

    /** In chunks that keep the script short; {@code accept.lua} counts them. */
    Optional<Memory> handOver(Batch batch) {
        List<List<NewJob>> chunks = chunks(batch);
        Set<UUID> known = new HashSet<>(batch.known().ids());
        for (int chunk = 0; chunk < chunks.size(); chunk++) {
            if (send(batch, known, chunks, chunk) < 0) {
                return Optional.empty();
            }
        }
        List<UUID> ids = new ArrayList<>(batch.keep());
        batch.deliveries().forEach(delivery -> ids.add(delivery.event().id()));
        return Optional.of(new Memory(batch.number(), chunks.size(), batch.complete(), ids));
    }

    /** How many jobs of this chunk are new; negative if it was refused. */
    long send(Batch batch, int chunk) {
        return send(batch, new HashSet<>(batch.known().ids()), chunks(batch), chunk);
    }

    private long send(Batch batch, Set<UUID> known, List<List<NewJob>> chunks, int chunk) {
        List<NewJob> jobs = chunks.get(chunk);
        boolean last = chunk == chunks.size() - 1;
        List<String> arguments = new ArrayList<>(9 + RedisJobQueue.JOB_WORDS * jobs.size());
        arguments.add(queue.queues().now());
        arguments.add(queue.keys().tag());
        arguments.add(Long.toString(batch.known().number()));
        arguments.add(Integer.toString(batch.known().chunks()));
        arguments.add(Long.toString(batch.number()));
        arguments.add(Integer.toString(chunk));
        arguments.add(last ? "1" : "");
        arguments.add(Long.toString(batch.complete()));
        arguments.add(batch.keep().stream().map(UUID::toString).collect(Collectors.joining(" ")));
        for (NewJob job : jobs) {
            if (known.contains(UUID.fromString(job.id()))) {
                arguments.addAll(List.of(job.id(), KNOWN, ""));
            } else {
                RedisJobQueue.addTo(arguments, job);
            }
        }
        List<String> keys = queue.keys().accept(batch.owner());
        return (Long) Script.ACCEPT.call(queue.queues().redis(), keys, arguments);
    }

    /** One at least: a queue is told of a batch in which there is nothing for it. */
    private List<List<NewJob>> chunks(Batch batch) {
        List<List<NewJob>> chunks =
                queue.chunks(batch.deliveries().stream().map(Deliveries::job).toList());
        return chunks.isEmpty() ? List.of(List.of()) : chunks;
    }

    private static NewJob job(Delivery delivery) {
        return new NewJob(
                delivery.event().id().toString(),
                delivery.jobName(),
                delivery.payload(),
                delivery.event().headers(),
                delivery.options());
    }
}
