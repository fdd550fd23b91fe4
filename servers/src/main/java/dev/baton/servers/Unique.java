package dev.baton.servers;

import java.util.concurrent.ThreadLocalRandom;

/** Names that no other JVM uses on the same server. */
final class Unique {

    private static final String OF_THIS_JVM =
            Long.toString(ProcessHandle.current().pid(), 36)
                    + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36);

    private Unique() {}

    static String ofThisJvm() {
        return OF_THIS_JVM;
    }
}
