package dev.baton.examples.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultsTest {
    @Test
    void an_operation_fails_at_most_twice_per_order() {
        Faults faults = Faults.seeded(1);

        assertThat(decisions(faults, "POST /shipments", "order-1", 1_000)).hasSize(2);
        assertThat(decisions(faults, "POST /shipments", "order-2", 1_000)).hasSize(2);
        assertThat(decisions(faults, "GET /shipments", "order-1", 1_000)).hasSize(2);
    }

    @Test
    void about_every_sixth_call_fails_and_every_way_occurs() {
        Faults faults = Faults.seeded(1);
        List<Fault> injected = IntStream.range(0, 3_000)
                .mapToObj(i -> faults.next("POST /shipments", "order-" + i))
                .flatMap(Optional::stream)
                .toList();

        assertThat(injected.size()).isBetween(400, 620);
        assertThat(Set.copyOf(injected)).isEqualTo(EnumSet.allOf(Fault.class));
    }

    @Test
    void the_same_seed_makes_the_same_decisions() {
        assertThat(decisions(Faults.seeded(7), "POST /messages", "order-1", 100))
                .isEqualTo(decisions(Faults.seeded(7), "POST /messages", "order-1", 100));
    }

    @Test
    void without_faults_all_goes_well() {
        assertThat(decisions(Faults.none(), "POST /messages", "order-1", 1_000)).isEmpty();
    }

    private static List<Fault> decisions(Faults faults, String operation, String order, int calls) {
        return IntStream.range(0, calls)
                .mapToObj(i -> faults.next(operation, order))
                .flatMap(Optional::stream)
                .toList();
    }
}
