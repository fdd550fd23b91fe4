package dev.baton.internal;

/** What a text weighs on its way through drivers. */
public final class Utf8 {
    private Utf8() {}

    /**
     * The bytes of the text in UTF-8, without making them.
     *
     * @return that; or, for half a surrogate pair at index i, which has no bytes and would arrive as a question mark,
     *     {@code ~i}, which is negative
     */
    public static long length(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                return ~i;
            }
        }
        return bytes;
    }
}
