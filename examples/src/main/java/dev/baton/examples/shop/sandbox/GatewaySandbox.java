package dev.baton.examples.shop.sandbox;

import dev.baton.examples.shop.payments.Authorization;
import dev.baton.examples.shop.payments.Authorization.Status;
import dev.baton.examples.web.HttpError;
import dev.baton.examples.web.Request;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A payment gateway. It recognises a repeat by its key and by nothing else: a second capture under another key takes
 * the money twice, so that the account can find it. Guarded by the sandbox's lock.
 */
final class GatewaySandbox {
    final Map<String, Integer> captures = new HashMap<>();
    final Map<String, Long> money = new HashMap<>();

    private final Map<String, Reservation> reservations = new HashMap<>();
    private final Map<String, Authorization> states = new HashMap<>();
    private final IdempotencyKeys keys = new IdempotencyKeys();

    Object authorize(Request request) {
        return keys.once(request, () -> {
            String id = "auth-" + UUID.randomUUID();
            reservations.put(id, request.body(Reservation.class));
            states.put(id, new Authorization(Status.AUTHORIZED, null));
            return Map.of("id", id);
        });
    }

    Authorization find(String id) {
        Authorization state = states.get(id);
        if (state == null) {
            throw new HttpError(404, "there is no such authorization");
        }
        return state;
    }

    Object capture(Request request) {
        return keys.once(request, () -> {
            refuse(request.id(), Status.VOIDED);
            String captureId = "capture-" + UUID.randomUUID();
            states.put(request.id(), new Authorization(Status.CAPTURED, captureId));
            captures.merge(orderOf(request.id()), 1, Integer::sum);
            money.merge(orderOf(request.id()), request.body(Amount.class).amount(), Long::sum);
            return Map.of("id", captureId);
        });
    }

    Object voidAuthorization(Request request) {
        return keys.once(request, () -> {
            refuse(request.id(), Status.CAPTURED);
            Authorization voided = new Authorization(Status.VOIDED, null);
            states.put(request.id(), voided);
            return voided;
        });
    }

    /** Whose order an authorization belongs to. */
    String orderOf(String id) {
        Reservation reservation = reservations.get(id);
        if (reservation == null) {
            throw new HttpError(404, "there is no such authorization");
        }
        return reservation.reference();
    }

    private void refuse(String id, Status status) {
        if (find(id).status() == status) {
            throw new HttpError(409, "the authorization is " + status);
        }
    }

    private record Reservation(String reference, long amount) {}

    private record Amount(long amount) {}
}
