package dev.baton.internal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Headers of events and jobs: small named texts that travel beside the payload. */
public final class Headers {
    private Headers() {}

    /**
     * An immutable copy, in the same order.
     *
     * @throws IllegalArgumentException if a header has a bad name
     */
    public static Map<String, String> copy(Map<String, String> headers) {
        headers.keySet().forEach(name -> Names.check("the name of a header", name));
        return Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }
}
