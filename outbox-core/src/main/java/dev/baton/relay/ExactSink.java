package dev.baton.relay;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A sink that remembers the last batch it was given, and so gets each event exactly once as long as it keeps its data, and
 * all that is retained again if it lost some. {@link HandOver} says how and why.
 */
public interface ExactSink extends Sink {
    /**
     * What the sink remembers, read at one moment; {@link Memory#NONE} if it remembers nothing.
     *
     * @param owner names the outbox and the shard
     */
    Memory memory(String owner);

    /**
     * Takes a batch of one shard, all or a beginning of it, in order; it skips the events that it remembers and remembers
     * the batch instead of the last one.
     *
     * @return what it remembers now; empty if it remembered something else than {@link Batch#known}, and not this batch:
     *     then somebody else was here, and of what is left of the batch nothing was taken
     * @throws RuntimeException if the sink could not be reached; it may have taken all, a beginning, or nothing
     */
    Optional<Memory> handOver(Batch batch);

    /**
     * What a sink remembers of one shard.
     *
     * @param number of the last batch, or 0
     * @param chunks how many chunks of it were taken: with the number, the version of the memory
     * @param complete it was given everything that was published up to this number; never above {@code number}
     * @param ids of the last batch; while one is being taken, of the one before too
     */
    record Memory(long number, int chunks, long complete, Collection<UUID> ids) {
        /** Of a sink that never saw a batch, or that lost everything. */
        public static final Memory NONE = new Memory(0, 0, 0, List.of());

        /** Whether nothing was handed over between the one and the other. */
        public boolean sameAs(Memory other) {
            return number == other.number && chunks == other.chunks;
        }
    }

    /**
     * A batch of one shard for one sink.
     *
     * @param owner names the outbox and the shard
     * @param known what the sink is believed to remember
     * @param number of this batch
     * @param complete what {@link Memory#complete} is to be once the batch is taken
     * @param deliveries in order; may be empty
     * @param keep ids to be remembered although they are not in this batch
     */
    record Batch(
            String owner, Memory known, long number, long complete, List<Delivery> deliveries, Collection<UUID> keep) {}
}
