package dev.baton.examples.invoices;

import dev.baton.job.EnqueueAnswer;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The scheduled mode: what is pending when the schedule fires is enqueued, each as if it had just been requested. */
public final class PendingPickup {
    private static final Logger log = LoggerFactory.getLogger(PendingPickup.class);
    private static final ZoneId ZONE = ZoneId.of("Asia/Ho_Chi_Minh");
    private static final int PAGE = 1_000;

    private final Jdbi jdbi;
    private final InvoiceQueues queues;
    private final ProviderSettings providers;
    private final InvoiceRepository invoices = new InvoiceRepository();

    /** A pick-up from this database into these queues. */
    public PendingPickup(Jdbi jdbi, InvoiceQueues queues, ProviderSettings providers) {
        this.jdbi = jdbi;
        this.queues = queues;
        this.providers = providers;
    }

    /** The schedule. Every worker puts it in place and fires it; each occurrence is one job, over all of them. */
    public static Schedule schedule(String cron) {
        return Schedule.cron("pick-up-pending", cron, ZONE, NewJob.of(InvoiceQueues.PICK_UP, "{}"));
    }

    /**
     * Enqueues the invoices that wait longest, a page of them.
     *
     * <p><b>Delivery.</b> Not through the outbox, because nothing is lost that way: a row stays pending until it is issued,
     * so what a crash or an outage of Redis left out is picked up by the next run, and what is still alive in the queue is
     * recognised by its id.
     */
    public void pickUp() {
        List<NewJob> jobs = jdbi.withHandle(handle -> invoices.toPickUp(handle, PAGE)).stream()
                .map(request -> queues.issueJob(request, providers))
                .toList();
        List<EnqueueAnswer> answers = queues.issuance().enqueue(jobs);
        log.info(
                "{} pending invoices picked up, {} of them new",
                jobs.size(),
                Collections.frequency(answers, EnqueueAnswer.ACCEPTED));
    }
}
