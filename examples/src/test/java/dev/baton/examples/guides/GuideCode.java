package dev.baton.examples.guides;

import dev.baton.failure.FailureRule;
import dev.baton.failure.HttpFailures;
import dev.baton.failure.Meaning;
import dev.baton.idempotency.Fingerprint;
import dev.baton.idempotency.RequestGuard;
import dev.baton.idempotency.Verdict;
import dev.baton.job.JobHandler;
import dev.baton.redis.RedisJobQueue;
import dev.baton.redis.RedisWorker;
import dev.baton.redis.RedisWorkerBuilder;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeoutException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The code of the guides that is not the shop's; {@link GuidesIT} runs it and holds the guides to it. */
final class GuideCode {
    private final RequestGuard refunds = RequestGuard.forConsumer("payments.refund");
    private final Jdbi jdbi;

    GuideCode(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    static String call(HttpClient http, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw HttpFailures.of(response, "gateway: capture");
        }
        return response.body();
    }

    static RedisWorkerBuilder ownRules(RedisJobQueue queue, JobHandler handler) {
        return RedisWorker.builder(queue)
                .failures(
                        FailureRule.onType(CardDeclinedException.class, Meaning.PERMANENT),
                        FailureRule.onSqlState("23505", Meaning.PERMANENT),
                        FailureRule.when(failure -> failure instanceof TimeoutException, Meaning.TRANSIENT))
                .handle("capture-payment", handler);
    }

    String answer(String key, String body) {
        Verdict verdict =
                jdbi.inTransaction(tx -> refunds.execute(tx, key, Fingerprint.ofJson(body), () -> refund(tx, body)));
        if (verdict instanceof Verdict.Executed executed) {
            return executed.result();
        } else if (verdict instanceof Verdict.Replayed replayed) {
            return replayed.result();
        } else if (verdict instanceof Verdict.InProgress) {
            return "409: the same request is being answered";
        } else if (verdict instanceof Verdict.Mismatch) {
            return "422: the key was used for another request";
        }
        return "the request failed before";
    }

    private static String refund(Handle tx, String body) {
        tx.execute("INSERT INTO refunds VALUES (?)", body);
        return "refunded";
    }

    /** The bank said no. */
    static final class CardDeclinedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
