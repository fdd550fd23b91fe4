package dev.baton.examples.demo;

/** How far things are at one moment. */
public interface Progress {
    /** Whether nothing is left to do at this moment, and nobody has more to ask for. */
    boolean quiet();

    /** Whether all has happened that was to happen. */
    boolean complete();

    /** One line for people to read. */
    String line();
}
