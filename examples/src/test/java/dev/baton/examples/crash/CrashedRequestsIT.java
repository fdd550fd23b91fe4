package dev.baton.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.examples.crash.CrashingRequest.Point;
import dev.baton.idempotency.GuardSchema;
import dev.baton.idempotency.Verdict;
import dev.baton.servers.Postgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kills a JVM while it answers a request with a key, repeats the request, and holds the page to what is found. */
@Timeout(60)
class CrashedRequestsIT {
    private static final String HEADING = "What a crash leaves of a request with a key";
    private static final String SAME = "{\"amount\":10}";
    private static final String ANOTHER = "{\"amount\":20}";

    private final String url = Postgres.freshSchema();
    private final Jdbi jdbi = Jdbi.create(Postgres.dataSource(url));

    @BeforeEach
    void create() {
        GuardSchema.migrate(jdbi);
        jdbi.useHandle(handle -> handle.execute("CREATE TABLE effects (fence bigint NOT NULL)"));
    }

    @Test
    void the_page_has_a_row_for_each_crash_point() throws IOException {
        assertThat(rows())
                .extracting(Row::point)
                .containsExactlyElementsOf(Arrays.stream(Point.values())
                        .filter(point -> point != Point.NOWHERE)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void a_repeat_is_told_what_the_page_says(Row row) throws Exception {
        assertThat(runUntilHalted(row.point)).isEqualTo(CrashingRequest.HALTED);
        CrashingRequest healthy = new CrashingRequest(Point.NOWHERE, url);
        boolean leased = row.point.isLeased();
        List<String> told = new ArrayList<>();
        await().until(() -> {
            Verdict verdict = healthy.answer(leased, SAME);
            if (!told.contains(name(verdict))) {
                told.add(name(verdict));
            }
            return verdict instanceof Verdict.Executed || verdict instanceof Verdict.Replayed;
        });
        assertThat(told).isEqualTo(row.told);
        List<Long> fences = jdbi.withHandle(handle -> handle.createQuery("SELECT fence FROM effects ORDER BY fence")
                .mapTo(Long.class)
                .list());
        assertThat(fences).hasSize(row.effects).doesNotHaveDuplicates();
        assertThat(name(healthy.answer(leased, SAME))).isEqualTo("Replayed");
        assertThat(name(healthy.answer(leased, ANOTHER))).isEqualTo("Mismatch");
    }

    private static String name(Verdict verdict) {
        return verdict.getClass().getSimpleName();
    }

    private int runUntilHalted(Point point) throws IOException, InterruptedException {
        ProcessBuilder child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingRequest.class.getName(),
                        point.name(),
                        url)
                .inheritIO();
        child.environment().put("DATABASE_URL", Postgres.get().databaseUrl());
        return child.start().waitFor();
    }

    /** {@code | `POINT` | .. | .. | told | effects |} */
    static List<Row> rows() throws IOException {
        return GuaranteesPage.rows(HEADING).stream()
                .map(cells -> new Row(
                        Point.valueOf(cells.get(0)), List.of(cells.get(3).split(", ")), Integer.parseInt(cells.get(4))))
                .toList();
    }

    /** What the page says: what a repeat is told until it has an answer, and how often the effect happened. */
    record Row(Point point, List<String> told, int effects) {}
}
