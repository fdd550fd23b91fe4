package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.job.JobState;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What an operator does, on real Redis and on the model. */
final class ModelAdministration {
    private static final List<JobState> STATES = List.of(JobState.values());

    private final QueueFixture fixture;
    private final ModelQueue model;
    private final ModelAdmin operator;
    private final Random random;

    ModelAdministration(QueueFixture fixture, ModelQueue model, Random random) {
        this.fixture = fixture;
        this.model = model;
        this.operator = new ModelAdmin(model);
        this.random = random;
    }

    /** Looks at a job and does something to it; answers what. */
    String administer(String id) {
        QueueAdmin admin = fixture.queue.admin();
        if (random.nextInt(20) == 0) {
            return drain();
        }
        int dice = random.nextInt(4);
        String state = admin.find(id).map(job -> job.state().name()).orElse("");
        assertThat(state).isEqualTo(model.stateOf(id));
        switch (dice) {
            case 0 -> assertThat(admin.runNow(id)).isEqualTo(operator.runNow(id));
            case 1 -> assertThat(admin.retry(id)).isEqualTo(operator.retry(id));
            default -> assertThat(admin.remove(id).map(Enum::name).orElse("")).isEqualTo(operator.remove(id));
        }
        return "administer " + dice + " " + id;
    }

    private String drain() {
        JobState state = STATES.get(random.nextInt(STATES.size()));
        int most = 1 + random.nextInt(4);
        Object drained = Script.DRAIN.call(
                fixture.queues.redis(),
                fixture.queue.keys().places(),
                List.of(fixture.queues.now(), fixture.queue.keys().tag(), state.name(), Integer.toString(most)));
        assertThat(drained).isEqualTo((long) operator.drain(state.name(), most));
        return "drain " + most + " " + state;
    }

    /** Changes a setting; answers which. */
    String configure() {
        QueueSettings settings = fixture.queue.settings();
        int dice = random.nextInt(13);
        switch (dice) {
            case 0 -> {
                settings.pause();
                model.gate.paused = true;
            }
            case 1, 2, 3, 4 -> {
                settings.resume();
                model.gate.paused = false;
            }
            case 5 -> {
                int most = 1 + random.nextInt(6);
                settings.concurrency(most);
                model.gate.concurrency = most;
            }
            case 6 -> {
                settings.unlimitedConcurrency();
                model.gate.concurrency = Integer.MAX_VALUE;
            }
            case 7 -> {
                settings.limit(4, Duration.ofSeconds(1));
                model.gate.limit(4, 1_000);
            }
            case 8 -> {
                settings.unlimited();
                model.gate.limit(Integer.MAX_VALUE, 0);
            }
            case 9 -> {
                model.pass = !model.pass;
                if (model.pass) {
                    settings.letOthersPass();
                } else {
                    settings.strictOrder();
                }
            }
            case 10 -> {
                settings.keepCompleted(3, Duration.ofSeconds(20));
                model.keep = 3;
                model.keepMs = 20_000;
            }
            case 11 -> {
                int ms = 1 + random.nextInt(3_000);
                settings.throttle(Duration.ofMillis(ms));
                model.gate.holdUntil(model.now + ms, model.now);
            }
            default -> {
                settings.keepNone();
                model.keep = 0;
                model.keepMs = 0;
            }
        }
        return "configure " + dice;
    }
}
