package dev.baton.examples.sandbox;

/** How a call goes wrong. */
public enum Fault {
    /** 429 with {@code Retry-After: 1}; nothing is done. */
    TOO_MANY_REQUESTS,
    /** 503; nothing is done. */
    UNAVAILABLE,
    /** 503 with {@code Retry-After: 1}; nothing is done. */
    UNAVAILABLE_FOR_A_WHILE,
    /** No answer until the client has given up; nothing is done. */
    HANG,
    /** It is done, but the connection breaks before the answer: the one that makes careless code do it twice. */
    ANSWER_LOST
}
