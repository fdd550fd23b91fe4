package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.outbox.Event;
import dev.baton.relay.Delivery;
import dev.baton.relay.ExactSink.Batch;
import dev.baton.relay.ExactSink.Memory;
import dev.baton.relay.SinkContract;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory of the last batch, with nothing else to recognise a repeat by: each job is finished at once. */
class AcceptIT {
    private static final String OWNER = "outbox:0:1";

    private final QueueFixture fixture = new QueueFixture();
    private final RedisJobQueue queue = fixture.queue;
    private final List<String> started = new ArrayList<>();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_batch_is_taken_in_order_and_remembered_with_its_number() {
        List<Event> events = events(2 * RedisJobQueue.CHUNK + 50);
        Memory memory = give(Memory.NONE, 7, events).orElseThrow();
        assertThat(memory.number()).isEqualTo(7);
        assertThat(memory.chunks()).isEqualTo(3);
        assertThat(queue.memory(OWNER).ids()).containsExactlyInAnyOrderElementsOf(ids(events));
        assertThat(queue.memory(OWNER).sameAs(memory)).isTrue();
        assertThat(queue.memory(OWNER).complete()).isEqualTo(7);
        finishAll();
        assertThat(started).containsExactlyElementsOf(texts(events));
    }

    @Test
    void a_batch_enters_its_place_and_the_memory_and_nothing_else() {
        fixture.enqueue("before");
        Map<String, String> before = Keyspace.of(fixture);
        Event event = events(1).get(0);
        Memory first = give(Memory.NONE, 7, List.of(event)).orElseThrow();
        Map<String, String> after = Keyspace.of(fixture);
        String id = event.id().toString();
        assertThat(after.remove(":job:" + id)).isEqualTo("0 0 " + fixture.now + " 0 0\t\t\n\nwork\n{}");
        assertThat(after.remove(":ready")).isEqualTo("[" + id + ", before]");
        assertThat(after.remove(":relay:" + OWNER)).isEqualTo("{7:0=" + id + ", 7:keep=, head=7 1 7}");
        before.remove(":ready");
        assertThat(after).isEqualTo(before);

        Map<String, String> once = Keyspace.of(fixture);
        give(Memory.NONE, 7, List.of(event));
        assertThat(Keyspace.of(fixture)).as("a repeat").isEqualTo(once);
        assertThat(give(Memory.NONE, 8, events(1))).isEmpty();
        assertThat(Keyspace.of(fixture)).as("refused").isEqualTo(once);
        assertThat(first.number()).isEqualTo(7);
    }

    @Test
    void a_repeat_and_a_new_batch_with_some_of_the_same_events_add_nothing_twice() {
        List<Event> events = events(250);
        Memory memory = give(Memory.NONE, 7, events).orElseThrow();
        finishAll();
        assertThat(give(Memory.NONE, 7, events)).isPresent();
        assertThat(queue.counts().ready()).isZero();
        List<Event> more = new ArrayList<>(events.subList(100, 250));
        more.addAll(events(5));
        assertThat(give(memory, 8, more)).isPresent();
        assertThat(queue.counts().ready()).isEqualTo(5);
    }

    @Test
    void whoever_does_not_know_the_last_batch_is_refused_and_changes_nothing() {
        Memory first = give(Memory.NONE, 7, events(3)).orElseThrow();
        Memory second = give(first, 8, events(3)).orElseThrow();
        assertThat(give(first, 9, events(3))).isEmpty();
        assertThat(give(Memory.NONE, 6, events(3))).isEmpty();
        assertThat(queue.counts().ready()).isEqualTo(6);
        assertThat(queue.memory(OWNER).sameAs(second)).isTrue();
    }

    @Test
    void half_a_batch_is_remembered_together_with_the_one_before_and_counts_as_another_version() {
        List<Event> before = events(2);
        Memory known = give(Memory.NONE, 7, before).orElseThrow();
        List<Event> events = events(2 * RedisJobQueue.CHUNK + 50);
        chunk(known, 8, events, 0);
        Memory half = queue.memory(OWNER);
        assertThat(half.number()).isEqualTo(8);
        assertThat(half.chunks()).isEqualTo(1);
        assertThat(half.complete()).isEqualTo(7);
        assertThat(half.ids())
                .containsAll(ids(before))
                .containsAll(ids(events.subList(0, RedisJobQueue.CHUNK)))
                .hasSize(RedisJobQueue.CHUNK + 2);
        // The first relay goes on: what a second one has read meanwhile is not the last version any more.
        chunk(known, 8, events, 1);
        assertThat(give(half, 9, events.subList(0, RedisJobQueue.CHUNK))).isEmpty();
        // A chunk that does not follow the last one is refused: one in between was lost.
        assertThat(chunk(known, 8, events(900), 4)).isEqualTo(-1);
        assertThat(chunk(known, 8, events, 2)).isEqualTo(50);
        assertThat(queue.memory(OWNER).ids()).hasSameSizeAs(events).doesNotContainAnyElementsOf(ids(before));
    }

    @Test
    void what_is_to_be_kept_is_remembered_and_shards_have_memories_of_their_own() {
        UUID other = UUID.randomUUID();
        Batch batch = new Batch(OWNER, Memory.NONE, 3, 2, List.of(), List.of(other));
        assertThat(queue.handOver(batch)).isPresent();
        assertThat(queue.memory(OWNER).ids()).containsExactly(other);
        assertThat(queue.memory(OWNER).complete()).isEqualTo(2);
        assertThat(queue.memory("outbox:1:1")).isEqualTo(Memory.NONE);
    }

    @Test
    void it_is_an_exact_sink() {
        List<UUID> received = new ArrayList<>();
        assertThat(SinkContract.violations(queue, () -> {
                    finishAll();
                    received.clear();
                    started.forEach(id -> received.add(UUID.fromString(id)));
                    return received;
                }))
                .isEmpty();
    }

    @Test
    void two_objects_for_one_queue_are_one_sink() {
        assertThat(fixture.queues.queue("payments")).isEqualTo(queue).hasSameHashCodeAs(queue);
        assertThat(fixture.queues.queue("mail")).isNotEqualTo(queue);
    }

    private Optional<Memory> give(Memory known, long number, List<Event> events) {
        return queue.handOver(new Batch(OWNER, known, number, number, deliveries(events), List.of()));
    }

    private long chunk(Memory known, long number, List<Event> events, int chunk) {
        return new Deliveries(queue)
                .send(new Batch(OWNER, known, number, number, deliveries(events), List.of()), chunk);
    }

    private void finishAll() {
        Exchange worker = fixture.worker();
        for (List<Exchange.Taken> taken = fixture.take(worker, 100);
                !taken.isEmpty();
                taken = fixture.take(worker, 100)) {
            started.addAll(QueueFixture.ids(taken));
            taken.forEach(one -> fixture.settle(worker, Settlement.complete(QueueFixture.lease(one))));
        }
    }

    private static List<Event> events(int n) {
        return IntStream.range(0, n).mapToObj(i -> Event.of("t", i, "{}")).toList();
    }

    private static List<Delivery> deliveries(List<Event> events) {
        return events.stream().map(event -> new Delivery(event, "work")).toList();
    }

    private static Collection<UUID> ids(List<Event> events) {
        return events.stream().map(Event::id).toList();
    }

    private static List<String> texts(List<Event> events) {
        return events.stream().map(event -> event.id().toString()).toList();
    }
}
