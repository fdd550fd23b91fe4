package dev.baton.redis;

import dev.baton.internal.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One worker's conversation with one queue: numbered requests, so that a request whose answer was lost can be sent again
 * and gets the answer it would have got. One thread.
 */
final class Exchange {
    /** Settlements per script, and jobs taken per script. */
    static final int LIMIT = 200;

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
    Request request(List<Settlement> settlements, int wanted) {
        number++;
        String token = session + "." + number;
        List<String> arguments = new ArrayList<>(7 + 7 * settlements.size());
        arguments.add(queue.queues().now());
        arguments.add(queue.keys().tag());
        arguments.add(Long.toString(number));
        arguments.add(token);
        arguments.add(Long.toString(lease.toMillis()));
        arguments.add(Integer.toString(Math.min(wanted, LIMIT)));
        // For as long as a repeat makes sense: when the leases have ended, the jobs are elsewhere anyway.
        arguments.add(Long.toString(Math.max(60_000, lease.toMillis() * 4)));
        settlements.forEach(settlement -> arguments.addAll(settlement.words()));
        return new Request(settlements, wanted, token, arguments);
    }

    Reply send(Request request) {
        return Reply.of((List<?>) Script.EXCHANGE.call(queue.queues().redis(), keys, request.arguments()), request);
    }

    /** What is asked; sent again as it is if the answer was lost. */
    record Request(List<Settlement> settlements, int wanted, String token, List<String> arguments) {}

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
            List<Boolean> held = new ArrayList<>();
            for (Object verdict : (List<?>) answer.get(2)) {
                held.add("done".equals(verdict));
            }
            List<Taken> taken = new ArrayList<>();
            List<?> jobs = (List<?>) answer.get(3);
            for (int i = 0; i < jobs.size(); i += 2) {
                taken.add(new Taken((String) jobs.get(i), request.token(), (String) jobs.get(i + 1)));
            }
            List<String> reclaimed =
                    ((List<?>) answer.get(4)).stream().map(String.class::cast).toList();
            return new Reply((Long) answer.get(0), (Long) answer.get(1), held, taken, reclaimed);
        }
    }

    /** A job handed out, with its record as it stands in Redis. */
    record Taken(String id, String token, String record) {}
}
