package dev.baton.examples.shop.sandbox;

import dev.baton.examples.web.HttpError;
import dev.baton.examples.web.Request;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What a service answered to which key. Guarded by the sandbox's lock. */
final class IdempotencyKeys {
    private final Map<String, Object> answers = new HashMap<>();

    /** Has the effect for a new key; for a known one only repeats the answer. */
    Object once(Request request, Supplier<Object> effect) {
        String key = request.header("Idempotency-Key")
                .orElseThrow(() -> new HttpError(400, "the header Idempotency-Key is missing"));
        Object known = answers.get(key);
        if (known == null) {
            known = effect.get();
            answers.put(key, known);
        }
        return known;
    }
}
