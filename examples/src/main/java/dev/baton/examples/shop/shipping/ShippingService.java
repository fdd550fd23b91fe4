package dev.baton.examples.shop.shipping;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Books the parcel of an order. */
public final class ShippingService {
    private static final Logger log = LoggerFactory.getLogger(ShippingService.class);

    private final Jdbi jdbi;
    private final Carrier carrier;

    /** A service on these. */
    public ShippingService(Jdbi jdbi, Carrier carrier) {
        this.jdbi = jdbi;
        this.carrier = carrier;
    }

    /**
     * Books the parcel, unless that is done.
     *
     * <p><b>Delivery.</b> A crash after the booking leaves a parcel that we have no record of; the next run finds it
     * by its reference. Two runs at the same time could both find nothing and book twice: with a carrier that takes
     * no key, only the lease keeps them apart, so it is much longer than the timeouts of the two calls.
     */
    public void createForOrder(UUID orderId) throws IOException, InterruptedException {
        if (isRecorded(orderId)) {
            return;
        }
        // Search before booking: an earlier run may have booked and lost the answer, or died before its record.
        Optional<String> booked = carrier.findByReference(orderId);
        String trackingNumber = booked.isPresent() ? booked.get() : carrier.createShipment(orderId);
        if (record(orderId, trackingNumber)) {
            log.info("shipment of order {} {}", orderId, booked.isPresent() ? "found again" : "booked");
        }
    }

    private boolean isRecorded(UUID orderId) {
        return jdbi.withHandle(handle -> handle.createQuery("SELECT count(*) FROM shipments WHERE order_id = ?")
                        .bind(0, orderId)
                        .mapTo(Integer.class)
                        .one())
                > 0;
    }

    private boolean record(UUID orderId, String trackingNumber) {
        return jdbi.withHandle(handle -> handle.execute(
                        "INSERT INTO shipments (order_id, tracking_number) VALUES (?, ?) ON CONFLICT (order_id) DO"
                                + " NOTHING",
                        orderId,
                        trackingNumber))
                == 1;
    }
}
