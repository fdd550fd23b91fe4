package dev.baton.internal;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/** Whether a text is one JSON value, found out by reading through it, without building anything. Thread-safe. */
public final class JsonSyntax {
    private static final int DEEPEST = 500;
    private static final int LONGEST_NUMBER = 1_000;
    private static final int LONGEST_EXPONENT = 4;

    // Our own bounds come first, because their messages say what to do; a text is bounded before it comes here.
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST + 1)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build());

    private JsonSyntax() {}

    /**
     * What is wrong with the text, to stand behind its name ("the payload of x is not JSON: .."); null if nothing is. It holds
     * none of the text.
     */
    public static @Nullable String fault(String text) {
        try (JsonParser parser = MAPPER.createParser(text)) {
            int depth = 0;
            int values = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                values += depth == 0 ? 1 : 0;
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                String fault = values > 1
                        ? notJson(parser.currentTokenLocation().getCharOffset())
                        : depth > DEEPEST ? "is nested more than " + DEEPEST + " deep" : number(parser, token);
                if (fault != null) {
                    return fault;
                }
            }
            return values == 0 ? notJson(text.length()) : null;
        } catch (JacksonException e) {
            return notJson(e.getLocation() == null ? 0 : e.getLocation().getCharOffset());
        }
    }

    private static @Nullable String number(JsonParser parser, JsonToken token) {
        if (!token.isNumeric()) {
            return null;
        }
        long at = parser.currentTokenLocation().getCharOffset();
        String number = parser.getString();
        if (number.length() > LONGEST_NUMBER) {
            return "has a number of more than " + LONGEST_NUMBER + " characters at index " + at;
        }
        int exponent = Math.max(number.indexOf('e'), number.indexOf('E'));
        int digits = exponent < 0
                ? 0
                : number.substring(exponent + 1).replaceFirst("[+-]", "").length();
        return digits > LONGEST_EXPONENT
                ? "has a number with an exponent of " + digits + " digits at index " + at
                : null;
    }

    private static String notJson(long index) {
        return "is not JSON: it is wrong at index " + index;
    }
}
