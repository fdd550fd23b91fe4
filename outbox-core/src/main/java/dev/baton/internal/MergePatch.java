package dev.baton.internal;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON Merge Patch, RFC 7386. Numbers keep all their digits. */
public final class MergePatch {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private MergePatch() {}

    /**
     * Checks that a patch can be applied.
     *
     * @throws IllegalArgumentException if it is not JSON
     */
    public static void check(String patch) {
        read("the patch", patch);
    }

    /**
     * The target with the patch applied.
     *
     * @throws IllegalArgumentException if one of them is not JSON; the message holds none of the text
     */
    public static String apply(String target, String patch) {
        return MAPPER.writeValueAsString(merge(read("the payload", target), read("the patch", patch)));
    }

    private static JsonNode merge(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch;
        }
        ObjectNode merged =
                target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        changes.properties().forEach(change -> {
            if (change.getValue().isNull()) {
                merged.remove(change.getKey());
            } else {
                JsonNode old = merged.path(change.getKey());
                merged.set(change.getKey(), merge(old, change.getValue()));
            }
        });
        return merged;
    }

    private static JsonNode read(String what, String json) {
        try {
            JsonNode node = MAPPER.readTree(json);
            if (node.isMissingNode()) {
                throw new IllegalArgumentException(what + " is empty; it must be JSON");
            }
            return node;
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    what + " is not JSON (" + e.getClass().getSimpleName() + ")");
        }
    }
}
