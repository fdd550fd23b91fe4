package dev.baton.idempotency;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One text for all JSON texts that mean the same; see {@link Fingerprint#ofJson}. Reads once, from left to right. */
final class CanonicalJson {
    private static final int DEEPEST = 200;
    private static final int LONGEST_NUMBER = 1_000;
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,9})?");

    private final String text;
    private int at;
    private int depth;

    private CanonicalJson(String text) {
        this.text = text;
    }

    static String of(String json) {
        CanonicalJson reader = new CanonicalJson(json);
        reader.space();
        String value = reader.value();
        reader.space();
        if (reader.at < json.length()) {
            throw reader.wrong("more than one value");
        }
        return value;
    }

    private String value() {
        if (depth++ > DEEPEST) {
            throw wrong("nested deeper than " + DEEPEST);
        }
        String value = switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> quoted(string());
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
        depth--;
        return value;
    }

    private String object() {
        // Sorted by UTF-16 code units, as RFC 8785 wants it; that is the order of String.
        Map<String, String> members = new TreeMap<>();
        list('{', '}', () -> {
            String name = string();
            space();
            expect(':');
            space();
            if (members.put(name, value()) != null) {
                throw wrong("a name twice in one object");
            }
        });
        List<String> pairs = new ArrayList<>();
        members.forEach((name, value) -> pairs.add(quoted(name) + ":" + value));
        return "{" + String.join(",", pairs) + "}";
    }

    private String array() {
        List<String> values = new ArrayList<>();
        list('[', ']', () -> values.add(value()));
        return "[" + String.join(",", values) + "]";
    }

    private void list(char open, char close, Runnable item) {
        expect(open);
        space();
        if (peek() == close) {
            at++;
            return;
        }
        while (true) {
            item.run();
            space();
            if (peek() == close) {
                at++;
                return;
            }
            expect(',');
            space();
        }
    }

    private String word(String word) {
        if (!text.startsWith(word, at)) {
            throw wrong("no JSON value");
        }
        at += word.length();
        return word;
    }

    private String number() {
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (!number.lookingAt()) {
            throw wrong("no JSON value");
        }
        if (number.group().length() > LONGEST_NUMBER) {
            throw wrong("a number of more than " + LONGEST_NUMBER + " characters");
        }
        at = number.end();
        BigDecimal value = new BigDecimal(number.group());
        // Digits and exponent, never written out: 1e999999999 must not become a gigabyte.
        BigDecimal shortest = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        return shortest.unscaledValue() + (shortest.scale() == 0 ? "" : "e" + -(long) shortest.scale());
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            if (c < ' ') {
                throw wrong("a control character in a string");
            }
            value.append(c == '\\' ? escaped() : c);
        }
        return value.toString();
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> codeUnit();
            default -> throw wrong("an unknown escape");
        };
    }

    private char codeUnit() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), 16);
            if (digit < 0) {
                throw wrong("an unknown escape");
            }
            unit = unit * 16 + digit;
        }
        return (char) unit;
    }

    private static String quoted(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                // Surrogates too: half a pair has no bytes in UTF-8, and two of them would become the same "?".
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private void space() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("an end too early");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void expect(char c) {
        if (next() != c) {
            at--;
            throw wrong("something other than " + c);
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("the request is not JSON: " + what + " at character " + at);
    }
}
