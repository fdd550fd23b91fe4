package dev.baton.examples.web;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The examples' JSON. Strict about numbers: 1.5 is no amount, and neither is "15". Thread-safe. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .build();

    private Json() {}

    /** The value as JSON on one line. */
    public static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** The value as JSON for people to read. */
    public static String pretty(Object value) {
        return MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value);
    }

    /**
     * The text as an object.
     *
     * @throws HttpError 400, if it is not JSON of that type
     */
    public static <T> T read(String text, Class<T> type) {
        try {
            T value = MAPPER.readValue(text, type);
            if (value == null) {
                throw new HttpError(400, "the body is null; send a JSON object");
            }
            return value;
        } catch (JacksonException e) {
            throw new HttpError(400, "the body is not the JSON expected here: " + e.getOriginalMessage());
        }
    }
}
