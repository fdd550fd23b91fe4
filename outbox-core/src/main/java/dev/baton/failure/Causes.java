package dev.baton.failure;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A failure and its causes, outermost first. Chains that loop end; so do those that have no end, and those whose
 * {@code getCause} fails. A batch of SQL hides its error in {@code getNextException}, so that counts as a cause.
 */
final class Causes {
    /** More than any framework nests, and still a matter of a millisecond. */
    private static final int LONGEST_CHAIN = 20_000;

    private Causes() {}

    static List<Throwable> of(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> chain = new ArrayList<>();
        Throwable next = failure;
        while (next != null && chain.size() < LONGEST_CHAIN && seen.add(next)) {
            chain.add(next);
            next = causeOf(next);
        }
        return chain;
    }

    private static @Nullable Throwable causeOf(Throwable failure) {
        try {
            Throwable cause = failure.getCause();
            return cause == null && failure instanceof SQLException sql ? sql.getNextException() : cause;
        } catch (RuntimeException | StackOverflowError unreadable) {
            return null;
        }
    }
}
