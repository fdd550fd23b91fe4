package dev.baton.examples.shop;

import java.util.List;

/** Names of queues and jobs: constants, so that a typing error does not compile. */
public final class ShopQueues {
    /** Jobs that talk to the payment gateway. */
    public static final String PAYMENTS = "payments";
    /** Jobs that talk to the mail service. */
    public static final String NOTIFICATIONS = "notifications";
    /** Jobs that talk to the carrier. */
    public static final String SHIPPING = "shipping";
    /** Jobs that keep the loyalty accounts. */
    public static final String LOYALTY = "loyalty";

    /** Jobs that sweep out what is old. */
    public static final String MAINTENANCE = "maintenance";

    /** All of them. */
    public static final List<String> ALL = List.of(PAYMENTS, NOTIFICATIONS, SHIPPING, LOYALTY, MAINTENANCE);

    /** Takes the money of an order. */
    public static final String CAPTURE_PAYMENT = "capture-payment";
    /** Gives back the reservation of a cancelled order. */
    public static final String VOID_AUTHORIZATION = "void-authorization";
    /** Tells the customer. */
    public static final String ORDER_CONFIRMATION = "order-confirmation";
    /** Books the parcel. */
    public static final String CREATE_SHIPMENT = "create-shipment";
    /** Rewards the customer. */
    public static final String AWARD_POINTS = "award-points";

    /** Deletes what is old. */
    public static final String CLEAN_UP = "clean-up";

    private ShopQueues() {}
}
