package dev.baton.examples.shop.shipping;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/** The port behind which a carrier sits. It takes no idempotency key: asked twice, it sends two parcels. */
public interface Carrier {
    /**
     * The parcel with this reference.
     *
     * @return its tracking number
     */
    Optional<String> findByReference(UUID reference) throws IOException, InterruptedException;

    /**
     * Books a parcel.
     *
     * @param reference of ours, to find it again
     * @return its tracking number
     */
    String createShipment(UUID reference) throws IOException, InterruptedException;
}
