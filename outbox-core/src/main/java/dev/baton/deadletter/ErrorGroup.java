package dev.baton.deadletter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The fingerprint of an error: letters that died of the same thing have the same one. Job name, reason, class and message
 * count; what differs from job to job in a message (ids, numbers, what stands in quotes) does not.
 */
public final class ErrorGroup {
    private static final int LONGEST = 500;
    private static final int DIGITS = 16;
    private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");
    private static final Pattern ID = Pattern.compile("[\\w-]*\\d[\\w-]*");

    private ErrorGroup() {}

    /** The group of a letter: 16 hexadecimal digits. */
    public static String of(DeadLetter letter) {
        String text = String.join(
                "\n", letter.jobName(), letter.reason().name(), "" + letter.errorClass(), pattern(letter.error()));
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String pattern(String message) {
        String beginning = message.length() > LONGEST ? message.substring(0, LONGEST) : message;
        return ID.matcher(QUOTED.matcher(beginning).replaceAll("?")).replaceAll("#");
    }
}
