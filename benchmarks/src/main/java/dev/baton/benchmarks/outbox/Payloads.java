package dev.baton.benchmarks.outbox;

import dev.baton.outbox.Event;
import java.util.ArrayList;
import java.util.List;

/** What every library records: a number, and ids as an order has them. */
final class Payloads {
    static final String TOPIC = "order.placed";

    private static final String HEAD = "{\"n\":";
    private static final String REST = ",\"orderId\":\"5f0c1d0e-2f0a-4f0e-8f0a-1f0e2f0a4f0e\","
            + "\"customerId\":\"5f0c1d0e-2f0a-4f0e-8f0a-1f0e2f0a4f0e\",\"total\":250000}";

    private Payloads() {}

    static String of(int n) {
        return HEAD + n + REST;
    }

    /** As our writers take it: a new id each time. */
    static Event event(String payload) {
        return Event.of(TOPIC, "order-" + number(payload), payload);
    }

    static List<String> chunk(int from, int to) {
        List<String> chunk = new ArrayList<>(to - from);
        for (int n = from; n < to; n++) {
            chunk.add(of(n));
        }
        return chunk;
    }

    /** PostgreSQL may have put spaces in and another order of keys. */
    static int number(String payload) {
        int at = payload.indexOf("\"n\":") + 4;
        while (payload.charAt(at) == ' ') {
            at++;
        }
        int end = at;
        while (Character.isDigit(payload.charAt(end))) {
            end++;
        }
        return Integer.parseInt(payload, at, end, 10);
    }
}
