package dev.baton.benchmarks.queue;

import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.Report;
import dev.baton.benchmarks.Rounds;
import java.time.Duration;
import java.util.Map;

/** The rows in which the peer is BullMQ. */
final class PeerRows {
    private final Comparison comparison;
    private final int port;
    private final int jobs;

    PeerRows(Comparison comparison, int port) {
        this.comparison = comparison;
        this.port = port;
        this.jobs = comparison.sizes().jobs();
    }

    void enqueue() throws Exception {
        row(Figure.JOBS, "enqueue.bulk", Work.of(Work.Kind.BULK, port, jobs, 1));
        row(Figure.JOBS, "enqueue.single", Work.of(Work.Kind.SINGLE, port, jobs / 10, 1));
    }

    void process() throws Exception {
        row(Figure.JOBS, "process.c1", process(jobs / 5, 1));
        row(Figure.JOBS, "process.c10", process(jobs, 10));
        if (comparison.wants("process.c100", "calls.per.job", "cpu.per.job")) {
            Map<Figure, String> rows =
                    Map.of(Figure.JOBS, "process.c100", Figure.CALLS, "calls.per.job", Figure.CPU, "cpu.per.job");
            comparison.run(rows, process(jobs, 100));
        }
    }

    void appendOnly() throws Exception {
        row(Figure.JOBS, "process.c100.aof", process(jobs, 100));
    }

    /** Enqueued without delay: only the worker is far away. */
    void farAway() throws Exception {
        if (!comparison.wants("process.c100.rtt1ms")) {
            return;
        }
        try (DelayProxy proxy = new DelayProxy(port, Duration.ofMillis(1))) {
            System.out.printf(
                    "a round trip takes %.2f ms, through the proxy %.2f ms%n",
                    RoundTrip.millis(port), RoundTrip.millis(proxy.port()));
            row(Figure.JOBS, "process.c100.rtt1ms", process(jobs, 100).through(proxy.port()));
        }
    }

    void latency() throws Exception {
        if (comparison.wants("latency.idle.p50", "latency.idle.p99")) {
            Map<Figure, String> rows = Map.of(Figure.P50, "latency.idle.p50", Figure.P99, "latency.idle.p99");
            comparison.run(rows, Work.of(Work.Kind.LATENCY, port, jobs / 125, 10));
        }
    }

    void memory() throws Exception {
        if (comparison.wants("bytes.waiting")) {
            Rounds rounds = comparison.run(Map.of(Figure.BYTES, "bytes.waiting"), Work.waiting(port, jobs));
            System.out.printf(
                    "of these %d bytes are payload; overhead: ours %s, peer %s%n",
                    Work.WAITING_PAYLOAD,
                    Report.figure(rounds.ours(Figure.BYTES) - Work.WAITING_PAYLOAD),
                    Report.figure(rounds.peer(Figure.BYTES) - Work.WAITING_PAYLOAD));
        }
    }

    private Work process(int count, int concurrency) {
        return Work.of(Work.Kind.PROCESS, port, count, concurrency);
    }

    private void row(Figure figure, String name, Work work) throws Exception {
        if (comparison.wants(name)) {
            comparison.run(Map.of(figure, name), work);
        }
    }
}
