package dev.baton.relay;

import dev.baton.internal.Ids;
import dev.baton.job.JobOptions;
import dev.baton.outbox.Event;
import dev.baton.relay.ExactSink.Batch;
import dev.baton.relay.ExactSink.Memory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What a relay relies on, for the tests of a sink of one's own: {@code assertThat(SinkContract.violations(sink,
 * received)).isEmpty()}.
 */
public final class SinkContract {
    private static final int MANY = 250;

    private final Supplier<List<UUID>> received;
    private final List<String> violations = new ArrayList<>();

    private SinkContract(Supplier<List<UUID>> received) {
        this.received = received;
    }

    /**
     * Gives deliveries to the sink and looks at what it does with them.
     *
     * @param sink one that works and has received nothing yet
     * @param received the ids of the events it received so far, in order; a repeat that it did not recognise is there twice
     * @return sentences that do not hold; empty if it is a sink, and an exact one if it says so
     */
    public static List<String> violations(Sink sink, Supplier<List<UUID>> received) {
        SinkContract contract = new SinkContract(received);
        contract.plain(sink);
        if (sink instanceof ExactSink exact) {
            contract.exact(exact, "contract-" + Ids.timeOrdered());
        }
        return List.copyOf(contract.violations);
    }

    private void plain(Sink sink) {
        holds(
                "its name is not blank and stays the same",
                !sink.name().isBlank() && sink.name().equals(sink.name()));
        holds("it answers nothing to nothing", sink.accept(List.of()).isEmpty());
        List<Delivery> some = deliveries(3);
        holds("it objects to no ordinary delivery", sink.objection(some.get(0)) == null);
        holds("it objects to no ordinary route", sink.objection(JobOptions.DEFAULT) == null);
        List<SinkAnswer> answers = sink.accept(some);
        holds("it gives one answer per delivery", answers.size() == 3);
        holds("it accepts ordinary deliveries", answers.stream().allMatch(SinkContract::holdsIt));
        holds("it has what it accepted, in order", endsWith(some));
        List<SinkAnswer> again = sink.accept(some.subList(0, 1));
        holds("it bears a repeat", again.size() == 1 && holdsIt(again.get(0)));
    }

    private void exact(ExactSink sink, String owner) {
        holds(
                "it remembers nothing of an owner it never heard of",
                sink.memory(owner).sameAs(Memory.NONE));
        List<Delivery> many = deliveries(MANY);
        Optional<Memory> first = sink.handOver(batch(owner, Memory.NONE, 7, many));
        holds("it takes a first batch, however large, in order", first.isPresent() && endsWith(many));
        Memory memory = sink.memory(owner);
        holds("it remembers number and ids", memory.number() == 7 && new HashSet<>(memory.ids()).equals(ids(many)));
        holds("it remembers up to where it has everything", memory.complete() == 7);
        holds("it answers what it remembers", first.isPresent() && first.get().sameAs(memory));
        int before = received.get().size();
        holds(
                "it takes a repeat of a batch",
                sink.handOver(batch(owner, Memory.NONE, 7, many)).isPresent());
        holds("a repeat adds nothing", received.get().size() == before);
        holds(
                "it refuses who knows another batch",
                sink.handOver(batch(owner, Memory.NONE, 8, deliveries(2))).isEmpty());
        holds(
                "a refusal changes nothing",
                received.get().size() == before && sink.memory(owner).sameAs(memory));
        List<Delivery> mixed = new ArrayList<>(many.subList(0, 1));
        mixed.addAll(deliveries(1));
        UUID kept = UUID.randomUUID();
        Batch second = new Batch(owner, sink.memory(owner), 9, 8, mixed, List.of(kept));
        holds("it takes a next batch", sink.handOver(second).isPresent());
        holds("it skips what it remembers", received.get().size() == before + 1);
        Memory last = sink.memory(owner);
        holds("it remembers what is to be kept", last.ids().contains(kept));
        holds("it forgets the batch before", last.ids().size() == 3 && last.number() == 9 && last.complete() == 8);
        holds(
                "it takes an empty batch",
                sink.handOver(batch(owner, last, 10, List.of())).isPresent());
        holds("owners have memories of their own", sink.memory(owner + "-2").sameAs(Memory.NONE));
    }

    private void holds(String sentence, boolean itDoes) {
        if (!itDoes) {
            violations.add(sentence);
        }
    }

    private boolean endsWith(List<Delivery> deliveries) {
        List<UUID> all = received.get();
        List<UUID> expected =
                deliveries.stream().map(delivery -> delivery.event().id()).toList();
        return all.size() >= expected.size()
                && all.subList(all.size() - expected.size(), all.size()).equals(expected);
    }

    private static boolean holdsIt(SinkAnswer answer) {
        return !(answer instanceof SinkAnswer.Rejected);
    }

    private static Batch batch(String owner, Memory known, long number, List<Delivery> deliveries) {
        return new Batch(owner, known, number, number, deliveries, List.of());
    }

    private static Set<UUID> ids(List<Delivery> deliveries) {
        Set<UUID> ids = new HashSet<>();
        deliveries.forEach(delivery -> ids.add(delivery.event().id()));
        return ids;
    }

    private static List<Delivery> deliveries(int n) {
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            deliveries.add(new Delivery(Event.of("contract", "only", "{\"n\": " + i + "}"), "contract"));
        }
        return deliveries;
    }
}
