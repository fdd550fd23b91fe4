package dev.baton.benchmarks.queue;

import java.util.Arrays;
import redis.clients.jedis.Jedis;

/** How long Redis is away. */
final class RoundTrip {
    private static final int PINGS = 200;

    private RoundTrip() {}

    /** Median of some pings, in ms. */
    static double millis(int port) {
        double[] millis = new double[PINGS];
        try (Jedis jedis = new Jedis(Baton.uri(port))) {
            for (int i = 0; i < PINGS; i++) {
                long began = System.nanoTime();
                jedis.ping();
                millis[i] = (System.nanoTime() - began) / 1e6;
            }
        }
        Arrays.sort(millis);
        return millis[PINGS / 2];
    }
}
