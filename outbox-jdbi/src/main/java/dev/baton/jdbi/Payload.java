package dev.baton.jdbi;

import dev.baton.outbox.Event;

/**
 * What a payload may be, found out before PostgreSQL is asked: an error of a statement would end the caller's transaction.
 * One pass over the text, without parsing numbers or building anything.
 */
final class Payload {
    /** Chosen so that the largest payload still fits into a job of a queue. */
    static final int LARGEST = 256 * 1024;

    private static final int DEEPEST = 500;

    private final String text;
    private final Event event;
    private int at;

    private Payload(Event event) {
        this.event = event;
        this.text = event.payload();
    }

    /**
     * Checks the payload.
     *
     * @throws IllegalArgumentException naming the event, the fault and where it is, but no data
     */
    static void check(Event event) {
        Payload payload = new Payload(event);
        // A character has at most three bytes in UTF-8; only a long text has to be counted.
        if (payload.text.length() > LARGEST / 3 && payload.bytes() > LARGEST) {
            throw payload.wrong("has " + payload.bytes() + " bytes; at most " + LARGEST
                    + " are allowed: store the data elsewhere and send its id");
        }
        payload.document();
    }

    private long bytes() {
        return text.codePoints()
                .mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
                .sum();
    }

    /** Without recursion: the caller's thread may have a small stack. */
    private void document() {
        boolean[] objects = new boolean[DEEPEST + 1];
        int depth = 0;
        do {
            blanks();
            char c = peek();
            if (c == '{' || c == '[') {
                at++;
                blanks();
                if (peek() != (c == '{' ? '}' : ']')) {
                    depth = deeper(depth);
                    objects[depth] = c == '{';
                    name(objects[depth]);
                    continue;
                }
                at++;
            } else {
                value(c);
            }
            depth = closed(objects, depth);
        } while (depth > 0);
        blanks();
        if (at < text.length()) {
            throw notJson();
        }
    }

    private int deeper(int depth) {
        if (depth == DEEPEST) {
            throw wrong("is nested more than " + DEEPEST + " deep");
        }
        return depth + 1;
    }

    /** After a value: how deep the next one is; 0 if there is none. */
    private int closed(boolean[] objects, int depth) {
        int now = depth;
        while (now > 0) {
            blanks();
            if (peek() == ',') {
                at++;
                name(objects[now]);
                return now;
            }
            expect(objects[now] ? '}' : ']');
            now--;
        }
        return 0;
    }

    private void name(boolean inObject) {
        if (inObject) {
            blanks();
            string();
            blanks();
            expect(':');
        }
    }

    private void value(char first) {
        switch (first) {
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    private void string() {
        expect('"');
        while (true) {
            char c = next();
            if (c == '"') {
                return;
            } else if (c < 0x20) {
                throw wrong("has a control character in a string at index " + (at - 1) + "; JSON escapes it");
            } else if (c == '\\') {
                escape();
            } else if (Character.isSurrogate(c)) {
                pair(c);
            }
        }
    }

    private void pair(char first) {
        if (!Character.isHighSurrogate(first) || !Character.isLowSurrogate(peek())) {
            throw wrong("has half a surrogate pair at index " + (at - 1));
        }
        at++;
    }

    private void escape() {
        char c = next();
        if (c == 'u') {
            int unit = unit();
            if (unit == 0) {
                throw wrong("has a \\u0000 at index " + (at - 6) + ", which jsonb cannot hold; leave it out");
            }
            if (Character.isSurrogate((char) unit)) {
                boolean whole = Character.isHighSurrogate((char) unit)
                        && next() == '\\'
                        && next() == 'u'
                        && Character.isLowSurrogate((char) unit());
                if (!whole) {
                    throw wrong("has half a surrogate pair before index " + at);
                }
            }
        } else if ("\"\\/bfnrt".indexOf(c) < 0) {
            throw notJson();
        }
    }

    private int unit() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), 16);
            if (digit < 0) {
                throw notJson();
            }
            unit = unit * 16 + digit;
        }
        return unit;
    }

    private void number() {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (peek() == '.') {
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            int from = at;
            digits();
            // PostgreSQL's numeric ends at 10^131072; whoever needs more has a text.
            if (at - from > 4) {
                throw wrong("has a number with an exponent of " + (at - from) + " digits at index " + from);
            }
        }
    }

    private void digits() {
        int from = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        if (at == from) {
            throw notJson();
        }
    }

    private void word(String word) {
        if (!text.startsWith(word, at)) {
            throw notJson();
        }
        at += word.length();
    }

    private void blanks() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void expect(char c) {
        if (next() != c) {
            throw notJson();
        }
    }

    private char next() {
        if (at == text.length()) {
            throw notJson();
        }
        return text.charAt(at++);
    }

    /** 0 at the end, which no JSON has there. */
    private char peek() {
        return at == text.length() ? 0 : text.charAt(at);
    }

    private IllegalArgumentException notJson() {
        return wrong("is not JSON: it is wrong at index " + Math.min(at, text.length()));
    }

    private IllegalArgumentException wrong(String fault) {
        return new IllegalArgumentException("the payload of " + event + " " + fault);
    }
}
