package dev.baton.examples.service;

import java.net.URI;
import java.util.Map;

/**
 * Reads settings from environment variables. A message names the variable and never its value, which may hold a password.
 *
 * @param variables by name
 */
public record Environment(Map<String, String> variables) {
    private static final double LARGEST_FACTOR = 1_000;

    /**
     * A variable that must be there.
     *
     * @param example what it should be set to
     * @throws IllegalArgumentException if it is missing
     */
    public String required(String variable, String example) {
        String value = variables.getOrDefault(variable, "");
        if (value.isBlank()) {
            throw new IllegalArgumentException(variable + " is missing; set it to " + example);
        }
        return value;
    }

    /**
     * A URL that must be there.
     *
     * @param example what it should be set to
     * @throws IllegalArgumentException if it is missing or no URL
     */
    public URI uri(String variable, String example) {
        String value = required(variable, example);
        try {
            return URI.create(value);
        } catch (IllegalArgumentException e) {
            // Not as the cause: its message holds the value.
            throw new IllegalArgumentException(variable + " is not a URL; set it to " + example);
        }
    }

    /** A text, or this one if there is none. */
    public String text(String variable, String otherwise) {
        return variables.getOrDefault(variable, otherwise);
    }

    /**
     * A whole number, or this one if there is none.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public long number(String variable, long otherwise) {
        String value = variables.getOrDefault(variable, Long.toString(otherwise));
        if (!value.matches("\\d{1,9}")) {
            throw new IllegalArgumentException(variable + " is not a whole number");
        }
        return Long.parseLong(value);
    }

    /**
     * A positive factor, or 1 if there is none.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public double factor(String variable) {
        String value = variables.getOrDefault(variable, "1");
        try {
            double factor = Double.parseDouble(value);
            if (factor > 0 && factor <= LARGEST_FACTOR) {
                return factor;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(variable + " is no factor; set it to a number up to 1000, such as 0.01");
    }
}
