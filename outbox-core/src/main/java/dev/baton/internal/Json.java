package dev.baton.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** JSON for payloads and headers; one mapper, never configured by anybody else. Thread-safe. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final ObjectReader STRINGS = MAPPER.readerFor(new TypeReference<LinkedHashMap<String, String>>() {});

    private Json() {}

    /**
     * The value as compact JSON.
     *
     * @throws IllegalArgumentException if the value cannot be written; the message names its class, not its data
     */
    public static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "cannot write a " + value.getClass().getName() + " as JSON: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * The text read as that type.
     *
     * @throws IllegalArgumentException if the text is not JSON of that type; the message holds none of the text
     */
    public static <T> T read(String json, Class<T> type) {
        try {
            return MAPPER.readValue(json, type);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "not JSON of a " + type.getName() + " (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** A flat object of strings, in the order of the text. */
    public static Map<String, String> readStrings(String json) {
        return STRINGS.readValue(json);
    }
}
