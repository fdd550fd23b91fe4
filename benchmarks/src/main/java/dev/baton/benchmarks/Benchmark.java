package dev.baton.benchmarks;

/** One benchmark. */
public interface Benchmark {
    /** Measures, and adds a row per figure. */
    void run(Report report) throws Exception;
}
