package dev.baton.redis;

import dev.baton.internal.Bounds;
import dev.baton.job.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks at single jobs and deals with them by hand, while workers run. Every call to Redis is bounded; what takes many
 * says so. Thread-safe.
 */
public final class QueueAdmin {
    private static final int LARGEST_PAGE = 200;

    private final RedisJobQueue queue;

    QueueAdmin(RedisJobQueue queue) {
        this.queue = queue;
    }

    /** The job with this id, if it is in the queue. */
    public Optional<JobView> find(String id) {
        List<?> answer = (List<?>) call(Script.FIND, id);
        return answer.isEmpty()
                ? Optional.empty()
                : Optional.of(JobView.of(
                        id, JobState.valueOf((String) answer.get(0)), (Long) answer.get(1), (String) answer.get(2)));
    }

    /**
     * A page of the jobs in one state, in the order in which they come up. While workers run, jobs move between two pages.
     *
     * @param offset of the first one
     * @param limit at most so many; a page can be shorter although more follow, if jobs were removed
     * @throws IllegalArgumentException if the offset is negative, or the limit not between 1 and 200
     */
    public List<JobView> list(JobState state, int offset, int limit) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset is " + offset + "; it must not be negative");
        }
        Bounds.between("limit", limit, 1, LARGEST_PAGE);
        List<?> answer = (List<?>) call(Script.LIST, state.name(), Integer.toString(offset), Integer.toString(limit));
        List<JobView> page = new ArrayList<>();
        for (int i = 0; i < answer.size(); i += 3) {
            page.add(JobView.of((String) answer.get(i), state, (Long) answer.get(i + 1), (String) answer.get(i + 2)));
        }
        return page;
    }

    /**
     * Removes a job for good, unless a worker holds it. Its successor with the same ordering key is next. Its id is free at once; if it
     * was ready, a new job with that id makes Redis search the list of ready ones, which takes milliseconds if there are a
     * million. So does the removal itself of one that waits behind as many with its ordering key.
     *
     * @return the state it was in: {@link JobState#LEASED} means that it is still there; empty if there is no such job
     */
    public Optional<JobState> remove(String id) {
        String state = (String) call(Script.REMOVE, id);
        return state.isEmpty() ? Optional.empty() : Optional.of(JobState.valueOf(state));
    }

    /**
     * Makes a delayed job due now.
     *
     * @return false if it is not delayed
     */
    public boolean runNow(String id) {
        return "done".equals(call(Script.HURRY, id, JobState.DELAYED.name()));
    }

    /**
     * Makes a dead job that is still in the queue ready, with a fresh budget. One that the dead-letter store has already is
     * no longer here. If a worker is carrying it there in this very moment, there may be an open letter of it besides: its next
     * death changes that letter, its success does not.
     *
     * @return false if it is not dead, or another job lives now that has its unique id
     */
    public boolean retry(String id) {
        return "done".equals(call(Script.HURRY, id, JobState.DEAD.name()));
    }

    /**
     * Removes all jobs that wait: ready, delayed and blocked. Running ones go on, and what is enqueued meanwhile may stay.
     * Many calls to Redis, of 200 jobs each.
     *
     * @return how many places were emptied
     */
    public long drain() {
        // Blocked ones first: as successors they would become ready again and again.
        return drain(JobState.BLOCKED) + drain(JobState.READY) + drain(JobState.DELAYED);
    }

    /**
     * Removes everything of this queue, schedules, settings and totals included, but for what relays have handed over to it
     * last, by which they recognise a repeat. Jobs that run go on, but their results are refused. Stop the workers first. Many calls to Redis, of 200 jobs each.
     */
    public void obliterate() {
        queue.settings().pause();
        new RedisSchedules(queue).clear();
        drain(JobState.LEASED);
        drain();
        drain(JobState.DEAD);
        drain(JobState.COMPLETED);
        queue.queues().redis().del(queue.keys().rest().toArray(String[]::new));
    }

    private long drain(JobState state) {
        long all = 0;
        long some;
        do {
            some = (Long) call(Script.DRAIN, state.name(), Integer.toString(LARGEST_PAGE));
            all += some;
        } while (some > 0);
        return all;
    }

    private Object call(Script script, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of(queue.queues().now(), queue.keys().tag()));
        arguments.addAll(List.of(more));
        return script.call(queue.queues().redis(), queue.keys().places(), arguments);
    }
}
