package dev.baton.examples.invoices;

import dev.baton.examples.invoices.Invoice.Mode;
import dev.baton.examples.invoices.Invoice.Status;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Invoices in the database, inside the caller's transaction. All times are those of the database's clock. */
final class InvoiceRepository {
    private static final String FIND = "SELECT *, CASE WHEN claim_until IS NULL THEN 0"
            + " ELSE ceil(extract(epoch FROM claim_until - clock_timestamp()) * 1000) END::bigint AS left_ms"
            + " FROM invoices WHERE order_id = ?";

    private static final String INSERT = """
            INSERT INTO invoices (order_id, provider, mode, amount, tax_code, status, claim_until)
            VALUES (:order, :provider, :mode, :amount, :tax, :status,
                    CASE WHEN :claim > 0 THEN clock_timestamp() + :claim * interval '1 ms' END)
            ON CONFLICT (order_id) DO NOTHING""";

    private static final String TO_PICK_UP = "SELECT order_id, provider FROM invoices"
            + " WHERE status = 'pending' AND mode = 'scheduled' ORDER BY requested_at LIMIT ?";

    /**
     * A new invoice.
     *
     * @param claim how long the buyer may claim it; zero if it is to be issued as it is
     * @return false if the order has one already
     */
    boolean insert(
            Handle transaction,
            UUID orderId,
            String provider,
            Mode mode,
            long amount,
            @Nullable String taxCode,
            Duration claim) {
        return transaction
                        .createUpdate(INSERT)
                        .bind("order", orderId)
                        .bind("provider", provider)
                        .bind("mode", mode.inDatabase())
                        .bind("amount", amount)
                        .bind("tax", taxCode)
                        .bind("status", (claim.isZero() ? Status.PENDING : Status.CLAIMABLE).inDatabase())
                        .bind("claim", claim.toMillis())
                        .execute()
                == 1;
    }

    /** The invoice of an order. */
    Optional<Invoice> find(Handle handle, UUID orderId) {
        return handle.createQuery(FIND)
                .bind(0, orderId)
                .map((row, context) -> invoice(row))
                .findOne();
    }

    /** The invoice of an order, locked until the transaction ends, so that nobody changes it meanwhile. */
    Optional<Invoice> findForUpdate(Handle transaction, UUID orderId) {
        // Two statements: the second one sees what was committed while the first one waited for the lock.
        transaction.execute("SELECT FROM invoices WHERE order_id = ? FOR UPDATE", orderId);
        return find(transaction, orderId);
    }

    /** When the claim of an invoice ends. */
    Instant claimUntil(Handle handle, UUID orderId) {
        return handle.createQuery("SELECT claim_until FROM invoices WHERE order_id = ?")
                .bind(0, orderId)
                .map((row, context) -> row.getObject(1, OffsetDateTime.class).toInstant())
                .one();
    }

    /** Claimable to pending, now with this tax code; null for a retail invoice. */
    void endClaim(Handle transaction, UUID orderId, @Nullable String taxCode) {
        transaction.execute(
                "UPDATE invoices SET status = 'pending', tax_code = ? WHERE order_id = ?", taxCode, orderId);
    }

    /** How many attempts have failed. */
    void retryCount(Handle handle, UUID orderId, int failed) {
        handle.execute("UPDATE invoices SET retry_count = ? WHERE order_id = ?", failed, orderId);
    }

    /** Pending to issued; false if it was something else. */
    boolean markIssued(Handle handle, UUID orderId, String number) {
        return handle.execute(
                        "UPDATE invoices SET status = 'issued', number = ?, issued_at = clock_timestamp()"
                                + " WHERE order_id = ? AND status = 'pending'",
                        number,
                        orderId)
                == 1;
    }

    /** Whatever it is to cancelled. */
    void markCancelled(Handle handle, UUID orderId) {
        handle.execute("UPDATE invoices SET status = 'cancelled' WHERE order_id = ?", orderId);
    }

    /** Pending to failed, with a row in the audit; false, and no row, if it was something else. */
    boolean markFailed(Handle transaction, UUID orderId, String why) {
        boolean failed = transaction.execute(
                        "UPDATE invoices SET status = 'failed' WHERE order_id = ? AND status = 'pending'", orderId)
                == 1;
        if (failed) {
            transaction.execute(
                    "INSERT INTO invoice_audit (order_id, what, why) VALUES (?, 'issuance failed', ?)", orderId, why);
        }
        return failed;
    }

    /** Pending invoices of the scheduled mode, those first that wait longest. */
    List<Invoice.Requested> toPickUp(Handle handle, int limit) {
        return handle.createQuery(TO_PICK_UP)
                .bind(0, limit)
                .map((row, context) ->
                        new Invoice.Requested(row.getObject("order_id", UUID.class), row.getString("provider")))
                .list();
    }

    private static Invoice invoice(ResultSet row) throws SQLException {
        return new Invoice(
                row.getObject("order_id", UUID.class),
                row.getString("provider"),
                Mode.valueOf(row.getString("mode").toUpperCase(Locale.ROOT)),
                row.getLong("amount"),
                row.getString("tax_code"),
                Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getString("number"),
                row.getInt("retry_count"),
                Duration.ofMillis(row.getLong("left_ms")));
    }
}
