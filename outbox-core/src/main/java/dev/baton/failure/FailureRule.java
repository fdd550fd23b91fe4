package dev.baton.failure;

import java.sql.SQLException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Knows some failures by their looks. A pure function; one that throws counts as one that does not know. */
@FunctionalInterface
public interface FailureRule {
    /**
     * What this one member of the chain of causes means.
     *
     * @return null if this rule does not know it
     */
    @Nullable
    Meaning meaningOf(Throwable failure);

    /** Knows exceptions of this type and its subtypes. */
    static FailureRule onType(Class<? extends Throwable> type, Meaning meaning) {
        return failure -> type.isInstance(failure) ? meaning : null;
    }

    /** Knows what the test is true for. */
    static FailureRule when(Predicate<? super Throwable> test, Meaning meaning) {
        return failure -> test.test(failure) ? meaning : null;
    }

    /**
     * Knows database errors by their SQLSTATE.
     *
     * @param prefix a class such as {@code 22}, or a whole code such as {@code 23514}
     * @throws IllegalArgumentException if the prefix does not have 2 to 5 digits and capital letters
     */
    static FailureRule onSqlState(String prefix, Meaning meaning) {
        if (!prefix.matches("[0-9A-Z]{2,5}")) {
            throw new IllegalArgumentException(
                    "SQLSTATE prefix is '" + prefix + "'; it must have 2 to 5 digits and capital letters");
        }
        return failure -> failure instanceof SQLException sql
                        && sql.getSQLState() != null
                        && sql.getSQLState().startsWith(prefix)
                ? meaning
                : null;
    }
}
