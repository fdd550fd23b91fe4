package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import java.util.function.Consumer;

/** A library that records events in transactions and hands them to a handler later, in its best documented configuration. */
interface Library extends Recorder {
    /** Connections that the work may use: as many for each library. */
    int CONNECTIONS = 24;

    /** Threads that hand over or run handlers, where a library asks for a number. */
    int WORKERS = 16;

    @Override
    Session open(HikariDataSource pool) throws Exception;

    /** On tables of its own. */
    interface Session extends Recording {
        /** Records many, in as few transactions as the library likes. */
        void backlog(int events);

        /**
         * Hands over from now on.
         *
         * @param handler is given the payload; it may be called by many threads
         */
        void start(Consumer<String> handler);

        /** How many were handed over. */
        long handed();
    }
}
