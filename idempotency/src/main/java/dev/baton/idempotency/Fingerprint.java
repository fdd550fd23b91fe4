package dev.baton.idempotency;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a request asks for, as a SHA-256: two requests with the same key and another fingerprint are not the same request.
 *
 * @param hex 64 hexadecimal digits
 */
public record Fingerprint(String hex) {
    private static final int LENGTH = 64;

    /**
     * Checks the form.
     *
     * @throws IllegalArgumentException if these are not 64 hexadecimal digits in lower case
     */
    public Fingerprint {
        if (hex.length() != LENGTH || !hex.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
            throw new IllegalArgumentException("a fingerprint has " + hex.length()
                    + " characters; it must be 64 hexadecimal digits in lower case");
        }
    }

    /**
     * Of the meaning of a JSON text: the order of names, white space, the way in which a character is escaped and the way
     * in which a number is written (1, 1.0, 1e0) make no difference.
     *
     * <p>This is RFC 8785 (JSON Canonicalization Scheme) but for numbers: those keep all their digits, where the RFC rounds
     * them to a double and would take 9007199254740993 for 9007199254740992, two amounts of money for one.
     *
     * @throws IllegalArgumentException if the text is not JSON, has a name twice in one object, is nested deeper than 200
     *     or has a number of more than 1,000 characters; the message tells the place, not the text
     */
    public static Fingerprint ofJson(String json) {
        return ofBytes(CanonicalJson.of(json).getBytes(StandardCharsets.UTF_8));
    }

    /** Of bytes that the caller made canonical, such as the fields of a form in a fixed order. */
    public static Fingerprint ofBytes(byte[] canonical) {
        try {
            return new Fingerprint(HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(canonical)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
