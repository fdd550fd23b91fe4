package dev.baton.examples.shop;

import dev.baton.job.Job;

/** Watches a worker, in its own threads; must be quick. The demo measures with it. */
public interface ShopProbe {
    /** Sees nothing. */
    ShopProbe NONE = new ShopProbe() {};

    /** A transaction that wrote an event has just been committed. */
    default void committed() {}

    /** A handler begins. */
    default void started(Job job) {}
}
