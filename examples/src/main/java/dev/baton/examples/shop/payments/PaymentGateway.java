package dev.baton.examples.shop.payments;

import java.io.IOException;
import java.util.UUID;

/**
 * The port behind which a payment gateway sits. Every call can fail after the gateway has done its part; so each one
 * that changes something takes a key by which the gateway recognises a repeat.
 */
public interface PaymentGateway {
    /**
     * Reserves the amount on the customer's card.
     *
     * @return the authorization's id
     */
    String authorize(UUID orderId, long amount) throws IOException, InterruptedException;

    /** What the gateway knows of the authorization. */
    Authorization find(String authorizationId) throws IOException, InterruptedException;

    /**
     * Takes the reserved money.
     *
     * @param idempotencyKey from the business intent: neither a job id nor the number of an attempt
     * @return the capture's id, the same for a repeat
     */
    String capture(String authorizationId, long amount, String idempotencyKey) throws IOException, InterruptedException;

    /** Gives the reservation back. */
    void voidAuthorization(String authorizationId, String idempotencyKey) throws IOException, InterruptedException;
}
