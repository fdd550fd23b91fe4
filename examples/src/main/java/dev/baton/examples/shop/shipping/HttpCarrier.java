package dev.baton.examples.shop.shipping;

import dev.baton.examples.web.JsonClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The carrier over HTTP. */
public final class HttpCarrier implements Carrier {
    private final JsonClient http;

    /** @param http for the carrier's address */
    public HttpCarrier(JsonClient http) {
        this.http = http;
    }

    @Override
    public Optional<String> findByReference(UUID reference) throws IOException, InterruptedException {
        return http.get("/shipments?reference=" + reference, Found.class, "carrier: find shipment").shipments().stream()
                .map(Shipment::trackingNumber)
                .findFirst();
    }

    @Override
    public String createShipment(UUID reference) throws IOException, InterruptedException {
        Map<String, String> body = Map.of("reference", reference.toString());
        return http.post("/shipments", Map.of(), body, Shipment.class, "carrier: create shipment")
                .trackingNumber();
    }

    private record Found(List<Shipment> shipments) {}

    private record Shipment(String trackingNumber) {}
}
