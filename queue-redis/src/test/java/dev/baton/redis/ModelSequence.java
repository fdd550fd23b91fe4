package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.failure.DeathReason;
import dev.baton.failure.Outcome;
import dev.baton.job.NewJob;
import dev.baton.redis.Exchange.Reply;
import dev.baton.redis.Exchange.Request;
import dev.baton.redis.Exchange.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One random history of one queue with three workers, on real Redis and on the model. */
final class ModelSequence {
    private static final String KEYS = "k1 k2 k3";
    private static final String IDS =
            IntStream.range(0, 24).mapToObj(i -> "j" + i).collect(Collectors.joining(" "));

    private final long seed;
    private final Random random;
    private final QueueFixture fixture = new QueueFixture();
    private final ModelQueue model = new ModelQueue(fixture.now.get(), QueueFixture.LEASE.toMillis());
    private final List<Exchange> workers = List.of(fixture.worker(), fixture.worker(), fixture.worker());
    private final Map<Exchange, List<Request>> sent = new HashMap<>();
    private final List<Lease> leases = new ArrayList<>();
    private final ModelAdministration administration;
    private final ScheduleSteps schedules;
    private String doing = "";

    ModelSequence(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.administration = new ModelAdministration(fixture, model, random);
        this.schedules = new ScheduleSteps(fixture, model, random);
    }

    void run(int steps) {
        try (fixture) {
            for (int step = 0; step < steps; step++) {
                try {
                    step();
                    assertThat(RealState.read(fixture, KEYS, ids(), ScheduleSteps.IDS))
                            .isEqualTo(expected());
                    assertEachJobInOnePlace();
                } catch (Exception | AssertionError e) {
                    throw new AssertionError("-Dmodel.seed=" + seed + ", step " + step + ": " + doing, e);
                }
            }
        }
    }

    private String ids() {
        return IDS + " " + String.join(" ", schedules.jobIds());
    }

    private Map<String, Object> expected() {
        Map<String, Object> state = model.state();
        state.put("schedules", schedules.expected());
        return state;
    }

    private void step() {
        int dice = random.nextInt(100);
        doing = "step " + dice;
        if (dice < 30) {
            enqueue();
        } else if (dice < 73) {
            exchange(workers.get(random.nextInt(workers.size())));
        } else if (dice < 80) {
            repeat(workers.get(random.nextInt(workers.size())));
        } else if (dice < 90) {
            pass();
        } else if (dice < 92) {
            forget();
        } else if (dice < 95) {
            doing = administration.administer(anyId());
        } else if (dice < 97) {
            doing = administration.configure();
        } else {
            doing = schedules.step();
        }
    }

    private void enqueue() {
        List<NewJob> jobs =
                Stream.generate(this::job).limit(1 + random.nextInt(4)).toList();
        doing = "enqueue " + jobs.stream().map(NewJob::options).toList();
        assertThat(fixture.queue.enqueue(jobs)).isEqualTo(model.enqueue(jobs));
    }

    private NewJob job() {
        NewJob job = NewJob.of("work", "{}").withId("j" + random.nextInt(24));
        if (random.nextInt(3) == 0) {
            job = job.orderedBy("k" + (1 + random.nextInt(3)));
        }
        if (random.nextInt(4) == 0) {
            job = job.priority(random.nextInt(10));
        }
        if (random.nextInt(8) == 0) {
            job = job.unique("k" + (1 + random.nextInt(3)));
        }
        return switch (random.nextInt(6)) {
            case 0 -> job.after(Duration.ofMillis(random.nextInt(20_000) - 2_000));
            case 1 -> job.at(Instant.ofEpochMilli(model.now + random.nextInt(20_000) - 2_000));
            default -> job;
        };
    }

    private void exchange(Exchange worker) {
        List<Settlement> settlements = settlements();
        int ahead = random.nextInt(4) == 0 ? random.nextInt(4) : 0;
        Request request = worker.request(settlements, random.nextInt(6), ahead);
        doing = "exchange " + settlements + " wanted " + request.wanted() + " and ahead " + ahead;
        sent.computeIfAbsent(worker, w -> new ArrayList<>()).add(request);
        if (random.nextInt(10) > 0) {
            send(worker, request);
        } else {
            doing += ", which does not arrive";
        }
    }

    /** Of a request that did not arrive, or whose reply was lost, or one that was stuck in the network. */
    private void repeat(Exchange worker) {
        List<Request> requests = sent.getOrDefault(worker, List.of());
        if (!requests.isEmpty()) {
            int age = random.nextInt(3) == 0 ? random.nextInt(requests.size()) : 0;
            Request request = requests.get(requests.size() - 1 - age);
            doing = "repeat " + request.token() + " of age " + age;
            send(worker, random.nextBoolean() ? request.withoutReclaim() : request);
        }
    }

    private void send(Exchange worker, Request request) {
        List<String> arguments = new ArrayList<>(request.arguments());
        arguments.set(0, fixture.queues.now());
        Request now = new Request(request.settlements(), request.wanted(), request.token(), arguments);
        Reply reply = worker.send(now);
        String[] token = request.token().split("\\.", -1);
        ModelQueue.Answer expected = model.exchange(
                token[0],
                Long.parseLong(token[1]),
                request.token(),
                request.settlements(),
                request.reclaims(),
                Integer.parseInt(request.arguments().get(5)),
                Integer.parseInt(request.arguments().get(6)));
        assertThat(new ModelQueue.Answer(
                        reply.nextDueMs(),
                        reply.held(),
                        reply.taken().stream().map(Taken::id).toList()))
                .isEqualTo(expected);
        reply.taken().forEach(job -> leases.add(QueueFixture.lease(job)));
    }

    /** Of leases that are held, and of some that are long lost; no lease twice. */
    private List<Settlement> settlements() {
        List<Settlement> settlements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0 && !leases.isEmpty(); i--) {
            Lease lease = leases.get(random.nextInt(leases.size()));
            if (settlements.stream().noneMatch(other -> other.lease().equals(lease))) {
                settlements.add(settlement(lease));
            }
        }
        settlements.forEach(settlement -> {
            if (!settlement.verb().equals("renew") && random.nextInt(10) > 0) {
                leases.remove(settlement.lease());
            }
        });
        return settlements;
    }

    private Settlement settlement(Lease lease) {
        Exception failure = new IllegalStateException("it failed");
        Duration delay = Duration.ofMillis(random.nextInt(3) == 0 ? 0 : random.nextInt(10_000));
        return switch (random.nextInt(13)) {
            case 0 -> Settlement.renew(lease);
            case 1 -> random.nextBoolean() ? Settlement.release(lease, delay) : Settlement.unknown(lease, delay);
            case 2, 3 -> Settlement.failed(lease, new Outcome.Retry(delay), failure);
            case 4 -> Settlement.failed(lease, new Outcome.Postpone(delay), failure);
            case 5 -> Settlement.failed(lease, new Outcome.Throttle(delay), failure);
            case 6 -> Settlement.failed(lease, new Outcome.Bury(DeathReason.ATTEMPTS), failure);
            case 7 -> Settlement.buryUnstarted(lease, LastFailure.fatal(DeathReason.STARTS, "spent"));
            case 8 -> Settlement.abandoned(lease);
            default -> Settlement.complete(lease);
        };
    }

    private void pass() {
        long ms = random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(400);
        if (random.nextInt(40) == 0) {
            ms += random.nextInt(200_000);
        }
        if (random.nextInt(20) == 0) {
            // A failover to a server whose clock is behind.
            ms = -random.nextInt(2_000);
        }
        doing = "pass " + ms + " ms";
        fixture.now.addAndGet(ms);
        model.now += ms;
    }

    private void forget() {
        if (!model.dead.isEmpty()) {
            String id = ModelQueue.inOrder(model.dead).get(0);
            doing = "forget " + id;
            String died = Long.toString(model.dead.getOrDefault(id, 0L));
            Script.FORGET.call(
                    fixture.queues.redis(),
                    List.of(fixture.queue.keys().dead()),
                    List.of("", fixture.queue.keys().tag(), id, died));
            model.forget(id);
        }
    }

    private String anyId() {
        List<String> scheduled = schedules.jobIds();
        return scheduled.isEmpty() || random.nextInt(3) > 0
                ? "j" + random.nextInt(24)
                : scheduled.get(random.nextInt(scheduled.size()));
    }

    private void assertEachJobInOnePlace() {
        List<String> places = new ArrayList<>(model.ready);
        places.removeAll(model.ghosts);
        assertThat(fixture.queue.counts().ready()).isEqualTo(places.size() + model.urgent.size());
        Stream.of(model.urgent, model.delayed, model.blocked, model.dead, model.completed)
                .forEach(place -> places.addAll(place.keySet()));
        model.leased.keySet().forEach(member -> places.add(member.substring(0, member.lastIndexOf('#'))));
        assertThat(places).containsExactlyInAnyOrderElementsOf(model.jobs.keySet());
    }
}
