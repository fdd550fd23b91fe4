package dev.baton.redis;

import dev.baton.internal.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One worker's conversation with one queue: numbered requests, so that a request whose answer was lost can be sent again
 * and gets the answer it would have got. One thread.
 */
final class Exchange {
    /** Settlements per script, and jobs taken per script. */
    static final int LIMIT = 200;

    /** For so long an answer can be repeated at least: a network may be away for minutes. */
    private static final long REMEMBERED_MS = 600_000;

    /** Where the arguments say whether expired leases are reclaimed. */
    private static final int RECLAIM = 8;

    private static final String RECLAIMS = "1";

    private final RedisJobQueue queue;
    private final Duration lease;
    private final String session = Ids.session();
    private final List<String> keys;
    private long number;

    Exchange(RedisJobQueue queue, Duration lease) {
        this.queue = queue;
        this.lease = lease;
        this.keys = queue.keys().exchange(session);
    }

    /** A new request; send it until it is answered, before the next one is made. */
    Request request(List<Settlement> settlements, int free) {
        return request(settlements, free, 0);
    }

    /**
     * A new request that also asks for jobs ahead of the free slots.
     *
     * @param free slots
     * @param ahead so many jobs more, unless the queue counts its starts or its running jobs
     */
    Request request(List<Settlement> settlements, int free, int ahead) {
        number++;
        String token = session + "." + number;
        List<Settlement> inOrder = new ArrayList<>(settlements.size());
        List<String> arguments = new ArrayList<>(8 + 7 * settlements.size());
        arguments.add(queue.queues().now());
        arguments.add(queue.keys().tag());
        arguments.add(Long.toString(number));
        arguments.add(token);
        arguments.add(Long.toString(lease.toMillis()));
        int wanted = Math.min(free, LIMIT);
        arguments.add(Integer.toString(wanted));
        arguments.add(Integer.toString(Math.min(ahead, LIMIT - wanted)));
        // A repeat that comes later than that is told that its leases are lost, though its jobs may have been
        // completed.
        arguments.add(Long.toString(Math.max(REMEMBERED_MS, lease.toMillis() * 4)));
        arguments.add(RECLAIMS);
        addPlainCompletions(settlements, inOrder, arguments);
        for (Settlement settlement : settlements) {
            if (!settlement.isPlainCompletion()) {
                inOrder.add(settlement);
                arguments.addAll(settlement.words());
            }
        }
        return new Request(inOrder, wanted + Math.min(ahead, LIMIT - wanted), token, arguments);
    }

    /** Most settlements are these: a group per token, and one word for each of its jobs. */
    private static void addPlainCompletions(
            List<Settlement> settlements, List<Settlement> inOrder, List<String> arguments) {
        Map<String, List<Settlement>> groups = new LinkedHashMap<>();
        for (Settlement settlement : settlements) {
            if (settlement.isPlainCompletion()) {
                groups.computeIfAbsent(settlement.lease().token(), token -> new ArrayList<>())
                        .add(settlement);
            }
        }
        arguments.add(Integer.toString(groups.size()));
        groups.forEach((token, group) -> {
            arguments.add(token);
            arguments.add(Integer.toString(group.size()));
            group.forEach(settlement -> arguments.add(settlement.lease().id()));
            inOrder.addAll(group);
        });
    }

    Reply send(Request request) {
        return Reply.of((List<?>) Script.EXCHANGE.call(queue.queues().redis(), keys, request.arguments()), request);
    }

    /**
     * What is asked; sent again as it is if the answer was lost.
     *
     * @param settlements in the order in which the queue applies them
     */
    record Request(List<Settlement> settlements, int wanted, String token, List<String> arguments) {
        /**
         * The same, but expired leases stay as they are; for a worker that has more to tell: some of them may be its own, of
         * jobs that have ended long since.
         */
        Request withoutReclaim() {
            List<String> changed = new ArrayList<>(arguments);
            changed.set(RECLAIM, "");
            return new Request(settlements, wanted, token, changed);
        }

        boolean reclaims() {
            return arguments.get(RECLAIM).equals(RECLAIMS);
        }
    }

    /**
     * What is answered.
     *
     * @param now by the server's clock, in ms since 1970
     * @param nextDueMs when the queue next has something to do by itself, in ms from now; -1 if never
     * @param held per settlement, whether the lease was still held; if not, nothing was changed
     * @param taken jobs with leases under the request's token
     * @param reclaimed ids of jobs whose leases had ended somewhere
     */
    record Reply(long now, long nextDueMs, List<Boolean> held, List<Taken> taken, List<String> reclaimed) {
        private static Reply of(List<?> answer, Request request) {
            List<Boolean> held = held(request.settlements().size(), (List<?>) answer.get(2));
            List<Taken> taken = new ArrayList<>();
            List<?> ids = (List<?>) answer.get(3);
            List<?> records = (List<?>) answer.get(4);
            for (int i = 0; i < ids.size(); i++) {
                taken.add(new Taken((String) ids.get(i), request.token(), (String) records.get(i)));
            }
            List<String> reclaimed =
                    ((List<?>) answer.get(5)).stream().map(String.class::cast).toList();
            return new Reply((Long) answer.get(0), (Long) answer.get(1), held, taken, reclaimed);
        }

        /** An exchange that a newer one has overtaken changes nothing. */
        private static List<Boolean> held(int settlements, @Nullable List<?> lost) {
            List<Boolean> held = new ArrayList<>(Collections.nCopies(settlements, lost != null));
            if (lost != null) {
                lost.forEach(place -> held.set(((Long) place).intValue() - 1, false));
            }
            return held;
        }
    }

    /** A job handed out, with its record as it stands in Redis. */
    record Taken(String id, String token, String record) {}
}
