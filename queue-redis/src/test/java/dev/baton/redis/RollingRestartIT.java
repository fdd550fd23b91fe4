package dev.baton.redis;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.job.NewJob;
import dev.baton.redis.Journal.Entry;
import dev.baton.redis.WorkerInstance.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Scenario Q6, with jobs of 6 s instead of 30 s and all else shortened alike. */
@Timeout(180)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no SIGTERM")
class RollingRestartIT {
    private static final List<String> PROCESSES = List.of("w0", "w1", "w2", "w3");
    private static final String KILLED = "w2";

    /** Three kinds of work: long, long after it was postponed once, and long without an ear for interrupts. */
    private static final List<String> PAYLOADS = List.of("hold:6000", "later:200,hold:6000", "stubborn:6000");

    private static final Duration GRACE = Duration.ofSeconds(1);
    /** Until SIGKILL: the worker's grace, the second after the interrupt, and time to talk to Redis. */
    private static final Duration UNTIL_KILL = Duration.ofSeconds(4);

    private final Instances instances = new Instances();
    private final RedisJobQueue queue = instances.queue;
    private final Journal journal = instances.journal;
    private int enqueued;

    @AfterEach
    void close() {
        instances.close();
    }

    @Test
    void a_rolling_restart_loses_nothing_and_costs_a_start_only_where_a_process_was_killed_or_an_interrupt_ignored()
            throws Exception {
        instances.start(PROCESSES.stream().map(RollingRestartIT::worker).toArray(Settings[]::new));
        for (String process : PROCESSES) {
            // The others get some too; all have slots to spare for what comes back.
            await().atMost(Instances.PATIENCE).until(() -> hasWork(process));
            if (process.equals(KILLED)) {
                instances.kill(process);
            } else {
                assertThat(instances.stop(process, UNTIL_KILL))
                        .as("%s ended before it was killed", process)
                        .isTrue();
            }
            instances.start(worker(process + "-new"));
        }
        await().atMost(Instances.PATIENCE).until(() -> queue.counts().totals().completed() == enqueued);

        assertThat(queue.counts().pending()).isZero();
        assertThat(queue.counts().totals().buried()).isZero();
        assertThat(queue.counts().totals().lost()).isZero();
        Map<String, Set<String>> heldAtEnd = heldAtTheEndOfEach();
        assertThat(heldAtEnd).containsOnlyKeys(PROCESSES);
        assertThat(heldAtEnd).allSatisfy((process, jobs) -> assertThat(jobs).isNotEmpty());
        int ofKilled = requireNonNull(heldAtEnd.get(KILLED)).size();
        assertThat(queue.counts().totals().reclaimed()).isEqualTo(ofKilled);
        assertThat(queue.counts().totals().released())
                .isEqualTo(heldAtEnd.values().stream().mapToInt(Set::size).sum() - ofKilled);
        byJob().values().forEach(this::assertNumbersOfStarts);
    }

    /** Keeps one job of each kind at work there, and enqueues another one if not. */
    private boolean hasWork(String process) {
        Set<String> running = runningAt(process);
        for (int kind = 0; kind < PAYLOADS.size(); kind++) {
            String prefix = "kind-" + kind + "-";
            if (running.stream().noneMatch(job -> job.startsWith(prefix))) {
                queue.enqueue(NewJob.of("work", PAYLOADS.get(kind)).withId(prefix + enqueued++));
                return false;
            }
        }
        return true;
    }

    private Set<String> runningAt(String process) {
        Map<String, Entry> last = new HashMap<>();
        journal.entries().forEach(entry -> last.put(entry.job(), entry));
        return last.values().stream()
                .filter(entry -> entry.what().equals("began") && entry.process().equals(process))
                // What is postponed is not at work for long.
                .filter(entry -> !entry.job().startsWith("kind-1") || entry.start() > 1)
                .map(Entry::job)
                .collect(Collectors.toSet());
    }

    /** The jobs that each process had begun and not ended by itself. */
    private Map<String, Set<String>> heldAtTheEndOfEach() {
        Map<String, Set<String>> held = new HashMap<>();
        for (Entry entry : journal.entries()) {
            Set<String> jobs = held.computeIfAbsent(entry.process(), process -> new TreeSet<>());
            switch (entry.what()) {
                case "began" -> jobs.add(entry.job());
                case "ok", "later" -> jobs.remove(entry.job());
                default -> {}
            }
        }
        held.keySet().retainAll(PROCESSES);
        return held;
    }

    private Map<String, List<Entry>> byJob() {
        return journal.entries().stream()
                .filter(entry -> Set.of("began", "later", "interrupted", "released", "ok")
                        .contains(entry.what()))
                .collect(Collectors.groupingBy(Entry::job));
    }

    private void assertNumbersOfStarts(List<Entry> ofJob) {
        List<Entry> begun =
                ofJob.stream().filter(entry -> entry.what().equals("began")).toList();
        assertThat(begun.get(0).start()).isEqualTo(1);
        assertThat(begun.get(0).attempt()).isEqualTo(1);
        for (int i = 1; i < begun.size(); i++) {
            Entry before = begun.get(i - 1);
            Entry next = begun.get(i);
            boolean postponed = ended(ofJob, before, "later");
            boolean killed = before.process().equals(KILLED) && !postponed;
            boolean ignored = before.job().startsWith("kind-2") && !killed;
            assertThat(next.start() - before.start())
                    .as("starts of %s", ofJob)
                    .isEqualTo(postponed || killed || ignored ? 1 : 0);
            assertThat(next.attempt() - before.attempt())
                    .as("attempts of %s", ofJob)
                    .isEqualTo(killed ? 1 : 0);
            if (!postponed && !killed) {
                assertThat(next.process()).isNotEqualTo(before.process());
                assertThat(next.at() - returned(ofJob, before)).as("%s", ofJob).isLessThan(2_000);
            }
        }
        assertThat(ofJob.get(ofJob.size() - 1).what()).isEqualTo("ok");
    }

    /** Said by its handler, or if that took no notice of the interrupt, by its worker when the queue had it back. */
    private static long returned(List<Entry> ofJob, Entry began) {
        return ofJob.stream()
                .filter(entry -> Set.of("interrupted", "released").contains(entry.what())
                        && entry.process().equals(began.process()))
                .findFirst()
                .orElseThrow()
                .at();
    }

    private static boolean ended(List<Entry> ofJob, Entry began, String how) {
        return ofJob.stream()
                .anyMatch(entry -> entry.what().equals(how)
                        && entry.process().equals(began.process())
                        && entry.start() == began.start());
    }

    private static Settings worker(String name) {
        return Settings.named(name).slots(20).lease(Duration.ofSeconds(3)).grace(GRACE);
    }
}
