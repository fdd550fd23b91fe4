package dev.baton.benchmarks.outbox;

import dev.baton.benchmarks.Benchmark;
import dev.baton.benchmarks.Figure;
import dev.baton.benchmarks.Report;
import dev.baton.benchmarks.Rounds;
import dev.baton.benchmarks.Sizes;
import dev.baton.servers.Postgres;
import dev.baton.servers.RedisProcess;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Recording events, handing them over, and how long they are under way; beside other libraries, in turns. */
public final class OutboxBench implements Benchmark {
    private static final List<Library> PEERS =
            List.of(new Gruelbox(), new DbScheduler(), new Namastack(), new JobRunrLibrary());
    private static final List<Integer> WRITERS = List.of(1, 8);
    private static final int PER_SECOND = 500;
    private static final int IDLE_PER_SECOND = 10;

    /** What one that polls every five seconds, or hands over a tenth as fast, gets to do. */
    private static final int FEWER = 5;

    /** What a relay alone gets to do: some seconds of work, so that one pause of the machine is not the figure. */
    private static final int MORE = 4;

    private final Sizes sizes = Sizes.fromProperties();

    @Override
    public void run(Report report) throws Exception {
        System.out.println(Postgres.get().describe() + ", " + sizes);
        try (RedisProcess redis = RedisProcess.start()) {
            URI uri = redis.uri();
            write(report, uri);
            relay(report, uri);
            endToEnd(report, uri);
            latency(report, uri);
            disturbed(report, new RelayRows(uri, sizes));
            row(report, Map.of(Figure.P50, "takeover.ms"), new Takeover(uri)::measure, Map::of);
        }
        if (sizes.wants(List.of("write.200@nosignal", "write.200@notify"))) {
            CommitRate.run(report, sizes.rounds());
        }
    }

    private void write(Report report, URI redis) throws Exception {
        Library ours = new Baton(redis, 1, false);
        for (int writers : WRITERS) {
            // Like beside like: what Jdbi costs is not the writer's.
            writeInTurns(report, writers, Jdbc.ofBaton(), Jdbc.bare());
            writeInTurns(report, writers, ours, new BareJdbi());
            for (Library peer : PEERS) {
                write(report, writers, ours, peer);
            }
        }
    }

    private void writeInTurns(Report report, int writers, Recorder ours, Recorder peer) throws Exception {
        String row = "write." + writers + "@" + peer.name();
        if (sizes.wants(List.of(row))) {
            System.out.println(row);
            report.add(row, Figure.EVENTS, Measured.writingInTurns(ours, peer, writers));
        }
    }

    private void write(Report report, int writers, Recorder ours, Recorder peer) throws Exception {
        row(
                report,
                Map.of(Figure.EVENTS, "write." + writers + "@" + peer.name()),
                () -> Measured.writing(ours, writers),
                () -> Measured.writing(peer, writers));
    }

    private void relay(Report report, URI redis) throws Exception {
        for (Library peer : PEERS) {
            drain(report, "relay.1", new Baton(redis, 1, false), peer);
        }
        row(
                report,
                Map.of(Figure.EVENTS, "relay.4"),
                () -> drain(new Baton(redis, 4, false)),
                () -> drain(new Baton(redis, 1, false)));
    }

    private void endToEnd(Report report, URI redis) throws Exception {
        for (Library peer : PEERS) {
            drain(report, "endtoend", new Baton(redis, 1, true), peer);
        }
    }

    private void latency(Report report, URI redis) throws Exception {
        Baton ours = new Baton(redis, 1, true);
        for (Library peer : PEERS) {
            row(
                    report,
                    Map.of(
                            Figure.P50, "latency.500.p50@" + peer.name(),
                            Figure.P99, "latency.500.p99@" + peer.name()),
                    () -> Measured.latency(ours, PER_SECOND, 10 * PER_SECOND),
                    () -> Measured.latency(peer, PER_SECOND, 10 * PER_SECOND));
            row(
                    report,
                    Map.of(Figure.P50, "latency.idle.p50@" + peer.name()),
                    () -> Measured.latency(ours, IDLE_PER_SECOND, 10 * IDLE_PER_SECOND),
                    () -> Measured.latency(peer, IDLE_PER_SECOND, 10 * IDLE_PER_SECOND));
        }
    }

    /** Minutes each, so one round has to do where the figures are not close. */
    private void disturbed(Report report, RelayRows rows) throws Exception {
        row(report, 3, Map.of(Figure.EVENTS, "relay.1.snapshot"), rows::underSnapshot, rows::afterAsMany);
        row(
                report,
                3,
                Map.of(Figure.EVENTS, "relay.1.poison", Figure.OWN_CPU, "relay.1.poison.cpu"),
                rows::behindPoison,
                rows::undisturbed);
        row(report, 1, Map.of(Figure.EVENTS, "relay.1.published10m"), rows::besidePublished, rows::undisturbed);
        row(
                report,
                1,
                Map.of(Figure.EVENTS, "relay.1.backlog1m", Figure.HEAP, "relay.1.backlog1m.heap"),
                rows::backlog,
                rows::undisturbed);
    }

    private Map<Figure, Double> drain(Library library) throws Exception {
        return Measured.draining(library, backlog(library));
    }

    private int backlog(Library library) {
        if (library instanceof Baton ours) {
            return ours.withWorker() ? sizes.jobs() : sizes.jobs() * MORE;
        }
        return sizes.jobs() / FEWER;
    }

    private void drain(Report report, String what, Library ours, Library peer) throws Exception {
        row(report, Map.of(Figure.EVENTS, what + "@" + peer.name()), () -> drain(ours), () -> drain(peer));
    }

    private void row(Report report, Map<Figure, String> rows, Rounds.Measurement ours, Rounds.Measurement peer)
            throws Exception {
        row(report, sizes.rounds(), rows, ours, peer);
    }

    private void row(
            Report report, int count, Map<Figure, String> rows, Rounds.Measurement ours, Rounds.Measurement peer)
            throws Exception {
        if (sizes.wants(List.copyOf(rows.values()))) {
            System.out.println(String.join(", ", new TreeMap<>(rows).values()));
            Rounds rounds = Rounds.run(count, ours, peer);
            new TreeMap<>(rows).forEach((figure, row) -> report.add(row, figure, rounds));
        }
    }
}
