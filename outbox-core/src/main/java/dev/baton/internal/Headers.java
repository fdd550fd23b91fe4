package dev.baton.internal;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Headers of events and jobs: small named texts that travel beside the payload. */
public final class Headers {
    private static final int LARGEST = 8 * 1024;

    private Headers() {}

    /**
     * An immutable copy, in the same order.
     *
     * @throws IllegalArgumentException if a header has a bad name, or a value that {@linkplain #fault cannot be kept}
     */
    public static Map<String, String> copy(Map<String, String> headers) {
        headers.forEach((name, value) -> {
            Names.check("the name of a header", name);
            String fault = fault(value);
            if (fault != null) {
                throw new IllegalArgumentException("the header " + name + " " + fault);
            }
        });
        return Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** Why a value cannot be kept, without any of it; null if it can. An error of PostgreSQL would end a transaction. */
    public static @Nullable String fault(@Nullable String value) {
        if (value == null) {
            return "is null; leave it out";
        }
        if (value.indexOf('\0') >= 0) {
            return "has a null character, which jsonb cannot hold; leave it out";
        }
        long bytes = Utf8.length(value);
        if (bytes < 0) {
            return "has half a surrogate pair at index " + ~bytes;
        }
        return bytes > LARGEST ? "has " + bytes + " bytes; at most " + LARGEST + " are allowed" : null;
    }
}
