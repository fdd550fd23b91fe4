package dev.baton.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.outbox.Event;
import dev.baton.relay.Delivery;
import dev.baton.relay.ExactSink;
import dev.baton.relay.SinkAnswer;
import dev.baton.relay.SinkContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The conformance suite finds a sink whole, and each of these faults. */
class SinkContractTest {
    @Test
    void a_whole_sink_violates_nothing() {
        assertThat(violations(Fault.NONE)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void each_fault_is_told(Fault fault) {
        assertThat(violations(fault)).contains(fault.told);
    }

    private static List<String> violations(Fault fault) {
        Faulty sink = new Faulty(fault);
        return SinkContract.violations(sink, sink::received);
    }

    private enum Fault {
        NONE(""),
        LOSES_AN_ANSWER("it gives one answer per delivery"),
        REFUSES("it accepts ordinary deliveries"),
        MIXES_THE_ORDER("it has what it accepted, in order"),
        LOSES_WHAT_IT_ACCEPTED("it has what it accepted, in order"),
        FORGETS_IDS("it remembers number and ids"),
        TAKES_FROM_ANYBODY("it refuses who knows another batch"),
        REFUSES_A_REPEAT("it takes a repeat of a batch"),
        FORGETS_WHAT_IS_TO_BE_KEPT("it remembers what is to be kept"),
        ONE_MEMORY_FOR_ALL("owners have memories of their own");

        private final String told;

        Fault(String told) {
            this.told = told;
        }
    }

    private static final class Faulty implements ExactSink {
        private final Fault fault;
        private final MemorySink whole = new MemorySink("whole");
        private final List<UUID> accepted = new ArrayList<>();

        private Faulty(Fault fault) {
            this.fault = fault;
        }

        private List<UUID> received() {
            return Stream.concat(accepted.stream(), whole.taken().stream().map(Event::id))
                    .toList();
        }

        @Override
        public String name() {
            return "faulty";
        }

        @Override
        public List<SinkAnswer> accept(List<Delivery> deliveries) {
            List<SinkAnswer> answers = new ArrayList<>();
            for (Delivery delivery : deliveries) {
                UUID id = delivery.event().id();
                if (fault != Fault.LOSES_WHAT_IT_ACCEPTED && !accepted.contains(id)) {
                    accepted.add(fault == Fault.MIXES_THE_ORDER ? 0 : accepted.size(), id);
                }
                answers.add(fault == Fault.REFUSES ? new SinkAnswer.Rejected("no") : SinkAnswer.ACCEPTED);
            }
            return fault == Fault.LOSES_AN_ANSWER && !answers.isEmpty() ? answers.subList(1, answers.size()) : answers;
        }

        @Override
        public Memory memory(String owner) {
            Memory memory = whole.memory(owned(owner));
            return fault == Fault.FORGETS_IDS
                    ? new Memory(memory.number(), memory.chunks(), memory.complete(), List.of())
                    : memory;
        }

        @Override
        public Optional<Memory> handOver(Batch batch) {
            String owner = owned(batch.owner());
            Memory now = whole.memory(owner);
            if (fault == Fault.REFUSES_A_REPEAT && now.number() == batch.number()) {
                return Optional.empty();
            }
            Memory known = fault == Fault.TAKES_FROM_ANYBODY ? now : batch.known();
            return whole.handOver(new Batch(
                    owner,
                    known,
                    batch.number(),
                    batch.complete(),
                    batch.deliveries(),
                    fault == Fault.FORGETS_WHAT_IS_TO_BE_KEPT ? List.of() : batch.keep()));
        }

        private String owned(String owner) {
            return fault == Fault.ONE_MEMORY_FOR_ALL ? "all" : owner;
        }
    }
}
