package dev.baton.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 over id, time and body, so that none of them can be changed or used again later. Thread-safe. */
final class Signature {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SHORTEST = 16;

    private final SecretKeySpec key;

    Signature(byte[] secret) {
        if (secret.length < SHORTEST) {
            throw new IllegalArgumentException(
                    "the secret has " + secret.length + " bytes; at least " + SHORTEST + " are needed");
        }
        this.key = new SecretKeySpec(secret, ALGORITHM);
    }

    String of(String id, long timestamp, String body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] signed = mac.doFinal((id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(signed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
