package dev.baton.redis;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The part of the {@link ModelQueue} that says how many jobs may start now. */
final class ModelGate {
    boolean paused;
    int concurrency = Integer.MAX_VALUE;
    int limit = Integer.MAX_VALUE;
    long per;
    long hold;
    private int restarted;
    private final Deque<Long> starts = new ArrayDeque<>();
    private @Nullable Long reopens;

    void holdUntil(long time, long now) {
        if (time > hold && time > now) {
            hold = time;
            restarted = 0;
        }
    }

    /** When time alone may let more through; null if it may not. */
    @Nullable
    Long reopens() {
        return reopens;
    }

    int open(int n, int leased, long now) {
        reopens = null;
        if (paused) {
            return 0;
        }
        int open = held(n, now);
        if (open > 0) {
            open = Math.min(open, Math.max(0, concurrency - leased));
        }
        return open > 0 && limit < Integer.MAX_VALUE ? limited(open, now) : open;
    }

    void passed(int n, long now) {
        for (int i = 0; i < n && limit < Integer.MAX_VALUE; i++) {
            starts.addFirst(now);
        }
        while (starts.size() > limit && n > 0) {
            starts.removeLast();
        }
        if (hold + 1_000 > now) {
            restarted += n;
        }
    }

    /** Whether starts or running jobs are counted: then nobody takes jobs ahead. */
    boolean counts() {
        return concurrency < Integer.MAX_VALUE || limit < Integer.MAX_VALUE;
    }

    void limit(int most, long duration) {
        limit = most;
        per = duration;
    }

    private int held(int n, long now) {
        if (hold > now) {
            reopens = hold;
            return 0;
        } else if (hold + 1_000 <= now) {
            return n;
        }
        long steps = (now - hold) / 25;
        reopens = hold + (steps + 1) * 25;
        return (int) Math.min(n, Math.max(0, steps + 1 - restarted));
    }

    /** One after the other: each start asks whether the one `limit` before it is longer ago than the duration. */
    private int limited(int n, long now) {
        Deque<Long> window = new ArrayDeque<>(starts);
        reopens = null;
        for (int started = 0; started < Math.min(n, limit); started++) {
            if (window.size() >= limit) {
                long before = window.stream().skip(limit - 1L).findFirst().orElseThrow();
                if (before + per >= now) {
                    reopens = before + per + 1;
                    return started;
                }
            }
            window.addFirst(now);
        }
        return Math.min(n, limit);
    }
}
