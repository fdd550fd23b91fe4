package dev.baton.redis;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.Schedule;
import dev.baton.job.ScheduleView;
import dev.baton.servers.Redis;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scenario Q7, but for the edges of daylight saving: those are in {@link ScheduleEdgesIT}. */
@Timeout(180)
class ScheduleProcessesIT {
    private static final int PROCESSES = 8;
    private static final int KILLS = 6;

    private final String prefix = Redis.freshPrefix();
    private final RedisQueues queues = RedisQueues.connect(Redis.get().uri(), prefix);
    private final RedisJobQueue queue = queues.queue(ScheduleInstance.QUEUE);
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void close() {
        processes.forEach(Process::destroyForcibly);
        queues.close();
    }

    @Test
    void each_occurrence_runs_once_over_processes_that_upsert_and_die_and_it_never_stops() throws Exception {
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(start(i));
        }
        await().atMost(Duration.ofMinutes(1))
                .until(() -> queue.schedules().list(0, 200).size() >= 20 && runs().size() > 100);
        Random random = new Random();
        for (int i = 0; i < KILLS; i++) {
            int victim = random.nextInt(PROCESSES);
            processes.get(victim).destroyForcibly().waitFor();
            int more = runs().size() + 20;
            await().atMost(Duration.ofSeconds(30)).until(() -> runs().size() >= more);
            processes.set(victim, start(victim));
        }
        for (Process process : processes) {
            process.getOutputStream().close();
        }
        for (Process process : processes) {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        List<ScheduleView> views = new ArrayList<>();
        Map<String, Instant> anchors = new HashMap<>();
        for (Schedule schedule : ScheduleInstance.schedules()) {
            views.add(queue.schedules().find(schedule.id()).orElseThrow());
            anchors.put(schedule.id(), anchor(schedule.id()));
        }
        queue.schedules().list(0, 200).forEach(view -> queue.schedules().remove(view.id()));
        finish();

        Set<String> runs = runs();
        assertThat(queue.counts().totals().completed())
                .as("one job per occurrence")
                .isEqualTo(runs.size());
        for (ScheduleView view : views) {
            assertThat(runs.stream().filter(run -> run.startsWith(view.id() + "@")))
                    .as("all occurrences of %s", view)
                    .containsExactlyInAnyOrderElementsOf(expected(view, requireNonNull(anchors.get(view.id()))));
        }
        assertThat(runs).anyMatch(run -> run.startsWith("fickle-"));
    }

    /** From the moment at which the schedule was there to the last run: none is left out. */
    private static List<String> expected(ScheduleView view, Instant anchor) {
        Schedule schedule = requireNonNull(view.schedule());
        List<String> expected = new ArrayList<>();
        Instant last = view.lastRun();
        if (last != null) {
            for (Instant at = schedule.timing().next(anchor, anchor);
                    !at.isAfter(last);
                    at = schedule.timing().next(at, anchor)) {
                expected.add(view.id() + "@" + at);
            }
        }
        return expected;
    }

    private Instant anchor(String id) {
        String anchor = queues.redis().hget(queue.keys().schedule(id), "anchor");
        return Instant.ofEpochMilli(Long.parseLong(requireNonNull(anchor)));
    }

    /** What the killed ones held comes back when its lease has ended. */
    private void finish() {
        try (RedisWorker worker = ScheduleInstance.worker(queues)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> queue.counts().pending() == 0);
            assertThat(worker).isNotNull();
        }
    }

    private Set<String> runs() {
        return new TreeSet<>(queues.redis().smembers(ScheduleInstance.runs(queues)));
    }

    private Process start(int number) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ScheduleInstance.class.getName(),
                        Redis.get().uri().toString(),
                        prefix,
                        number < 2 ? "fickle" : "steady")
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.INHERIT)
                .start();
    }
}
