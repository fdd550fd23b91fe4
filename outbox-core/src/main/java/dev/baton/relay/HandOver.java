package dev.baton.relay;

import dev.baton.outbox.OutboxShard.Claim;
import dev.baton.outbox.OutboxShard.Turn;
import dev.baton.outbox.OutboxShard.Unsettled;
import dev.baton.outbox.OutboxStore.Joined;
import dev.baton.outbox.StoredEvent;
import dev.baton.relay.ExactSink.Batch;
import dev.baton.relay.ExactSink.Memory;
import dev.baton.relay.Sorter.Sorted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Exact hand-off and self-healing: each event enters each queue once, however often relays die in between, as long as the
 * queue keeps its data; and if it lost some, what it lost is handed over again.
 *
 * <p>Two stores are written without a common transaction, so a relay can die after a queue took a batch and before
 * PostgreSQL shows it as published. But per shard only one batch at a time can be in that state, because of the lock. So a
 * queue needs to remember only the last one: its number and its ids.
 *
 * <ol>
 *   <li>A turn holds the shard's lock until its transaction ends.
 *   <li>It reads from every queue number and ids of the last batch, at one moment. If this relay made the last turn, it
 *       knows them.
 *   <li>Remembered ids that are not published are the unsettled batch: they are this turn's batch, and nothing else is. Only
 *       if there are none, new events are. What of it was refused meanwhile and is not due stays remembered until it is.
 *   <li>It draws a batch number: never reused, higher than all before.
 *   <li>Each queue gets its part of the batch as a compare-and-set: refused unless it still remembers what it did in step 2,
 *       or this very one. It skips the ids it remembers, and then remembers the new batch. Refused means that somebody else
 *       was here: roll back, start again.
 *   <li>The events are marked with the number, in the transaction that holds the lock: afterwards, or while the queues take
 *       them, as nobody sees it before the commit. Commit.
 * </ol>
 *
 * <p><b>Why nothing comes twice.</b> A relay that was stopped (or cut off) in the middle lost its transaction, and another one
 * took the lock. If the first one wakes and goes on handing over, either its hand-over comes before that of the other one,
 * which is then refused and finds those ids by step 3; or it comes after, and is refused itself. The memory must hold the
 * unsettled ids until they are published: that is why they are redone before anything new, and why {@link Batch#keep} names
 * those that cannot be in the batch (of topics that this relay does not know, or refused).
 *
 * <p><b>Healing</b> ({@link Healing}). A queue also remembers up to which number it was given everything ({@link Memory#complete}). What is
 * published under a higher number and routed to it is what it lost: with its data a queue loses the memory of it as well.
 * Before anything new is handed over it gets that back, in order, in steps of about {@value Losses#ROWS} rows, or fewer large
 * ones; a step that is not the last one sets {@code complete} to where it came to, so a crash costs one step. A queue is told of
 * at least every {@value #LONGEST_SILENCE}th batch, also if none of the events was for it: so what has to be looked through stays
 * little.
 *
 * <p><b>Chunks.</b> A batch goes to a queue in chunks, each a compare-and-set of its own; how many of them were taken is part of
 * what is compared. The ids of the batch before are dropped by the last chunk only, and only that one sets {@code complete}. So
 * a queue that lost a chunk refuses the next one, and a relay that dies between two leaves a shorter unsettled batch.
 *
 * <p>The steps, with all of this, are model-checked: {@code docs/models/relay.pml}. Change the model first.
 */
final class HandOver {
    static final int LONGEST_SILENCE = 64;

    private final Routes routes;
    private final Sorter sorter;
    private final Memories memories;
    private final Batches batches;
    private final Healing healing;
    private final Replays replays;
    private final BatchSize batchSize;
    private final Executor threads;
    private final Map<ExactSink, Integer> silence = new LinkedHashMap<>();

    /** @param threads to mark large batches in */
    HandOver(Routes routes, Sorter sorter, Joined joined, Memories memories, int batchSize, Executor threads) {
        this.routes = routes;
        this.sorter = sorter;
        this.memories = memories;
        this.batches = new Batches(memories);
        this.healing = new Healing(new Losses(routes, sorter, joined, memories), memories, batches);
        this.replays = new Replays(memories, batches);
        this.batchSize = new BatchSize(batchSize);
        this.threads = threads;
    }

    Memories memories() {
        return memories;
    }

    /** One batch, or one step of healing. If it throws, the turn is to be closed and nothing is known any more. */
    PassResult run(Turn turn) {
        List<StoredEvent> redo = List.of();
        if (!memories.certain()) {
            Unsettled unsettled = turn.unsettled(memories.ids());
            if (replays.forget(turn, unsettled.all())) {
                return PassResult.AGAIN;
            }
            Optional<PassResult> healed = healing.run(turn, unsettled.all());
            if (healed.isPresent()) {
                return healed.get();
            }
            redo = unsettled.ready().stream().filter(this::isKnown).toList();
            keepTheOthers(unsettled, redo);
        }
        Claim claim = redo.isEmpty() ? turn.claim(batchSize.next()) : new Claim(redo, List.of(), true);
        batchSize.was(claim.events());
        return replays.forget(turn, claim.events()) ? PassResult.AGAIN : settle(turn, claim);
    }

    /** The last run threw: what the sinks and the database have now is unknown, the next one asks them. */
    void failed() {
        memories.forget();
        batchSize.failed();
        healing.failed();
    }

    private PassResult settle(Turn turn, Claim claim) {
        // Before any sink is asked: a database that is read-only says so here, and not after a webhook was sent.
        long number = claim.events().isEmpty() ? 0 : batches.number(turn);
        Sorted sorted = sorter.sort(claim.events(), turn.budget());
        turn.leave(sorted.left);
        boolean unsettled = keepWhatStays(sorted);
        sorted.held.addAll(claim.waiting());
        Map<ExactSink, Memory> taken = new LinkedHashMap<>();
        if (!sorted.going.isEmpty()) {
            List<StoredEvent> going = List.copyOf(sorted.going.keySet());
            Runnable mark = () -> turn.publish(going, number);
            try (Marking marking = Marking.of(mark, going.size(), memories.certain(), threads)) {
                for (ExactSink sink : memories.sinks()) {
                    List<Delivery> deliveries = sorted.deliveriesTo(sink);
                    if (deliveries.isEmpty() && silence.merge(sink, 1, Integer::sum) < LONGEST_SILENCE) {
                        continue;
                    }
                    if (!batches.give(sink, number, number, deliveries, memories.kept(sink), taken)) {
                        return PassResult.AGAIN;
                    }
                }
                marking.finish();
            }
        }
        turn.park(sorted.refused);
        turn.hold(sorted.held);
        turn.commit();
        taken.forEach(memories::put);
        taken.keySet().forEach(silence::remove);
        memories.settled(sorted.going.keySet());
        if (unsettled) {
            memories.forget();
        } else {
            memories.becomeCertain();
        }
        boolean more = claim.more() || !sorted.left.isEmpty();
        return new PassResult(false, sorted.going.size(), 0, sorted.refused.size(), more);
    }

    /**
     * What is not handed over in this turn, because it was refused, has to wait for one that was, or no time was left, may be in
     * a queue already, if the turn redoes an unsettled batch. The queues go on remembering it.
     *
     * @return whether there is such an event
     */
    private boolean keepWhatStays(Sorted sorted) {
        List<StoredEvent> stays = new ArrayList<>(sorted.left);
        stays.addAll(sorted.held);
        sorted.refused.forEach(refused -> stays.add(refused.event()));
        return memories.keep(stays);
    }

    /**
     * What is unsettled and not redone now: of topics that this relay does not know, and what was refused meanwhile and is not
     * due. Whoever hands it over later will need the memory of it.
     */
    private void keepTheOthers(Unsettled unsettled, List<StoredEvent> redo) {
        List<StoredEvent> others = new ArrayList<>(unsettled.all());
        others.removeAll(redo);
        memories.keep(others);
    }

    private boolean isKnown(StoredEvent event) {
        return routes.topics().contains(event.topic());
    }
}
