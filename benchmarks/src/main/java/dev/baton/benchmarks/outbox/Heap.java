package dev.baton.benchmarks.outbox;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** Watches the most that this JVM's heap held after a garbage collection: what was still needed, and what was taken for it. */
final class Heap implements AutoCloseable {
    private final AtomicLong most = new AtomicLong();
    private final NotificationListener listener = this::seen;

    private Heap() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener(listener, null, null);
        }
    }

    static Heap watch() {
        System.gc();
        return new Heap();
    }

    double megabytes() {
        System.gc();
        Measured.await(() -> most.get() > 0, "a garbage collection");
        return most.get() / 1e6;
    }

    @Override
    public void close() throws ListenerNotFoundException {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).removeNotificationListener(listener);
        }
    }

    private void seen(Notification notification, Object handback) {
        if (GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(notification.getType())) {
            long held = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                    .getGcInfo()
                    .getMemoryUsageAfterGc()
                    .values()
                    .stream()
                    .mapToLong(pool -> pool.getUsed())
                    .sum();
            most.accumulateAndGet(held, Math::max);
        }
    }
}
