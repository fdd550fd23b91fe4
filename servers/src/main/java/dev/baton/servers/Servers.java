package dev.baton.servers;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Both servers at once. */
public final class Servers {

    private Servers() {}

    /**
     * Starts {@link Postgres#get() PostgreSQL} and {@link Redis#get() Redis} side by side and returns when both answer.
     * Any number of threads may call it, any number of times.
     *
     * @return one line for people to read: which servers are used and how long this call took
     * @throws IllegalArgumentException if {@code DATABASE_URL} or {@code REDIS_URL} is set to something that is no such
     *     URL
     * @throws IllegalStateException if one of them does not start or does not answer
     */
    public static String startAll() {
        long began = System.nanoTime();
        CompletableFuture<Redis> redis = CompletableFuture.supplyAsync(Redis::get);
        Postgres postgres = Postgres.get();
        try {
            return postgres.describe() + ", " + redis.join().describe() + ", " + Took.since(began);
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
