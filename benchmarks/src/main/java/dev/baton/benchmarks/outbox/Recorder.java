package dev.baton.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;

/** What records events in transactions. */
interface Recorder {
    /** As rows name it. */
    String name();

    /** Makes its tables in the pool's schema. */
    Recording open(HikariDataSource pool) throws Exception;

    /** On tables of its own. */
    interface Recording extends AutoCloseable {
        /** Records one event in a transaction of its own; returns after the commit. */
        void record(String payload);

        @Override
        void close();
    }
}
