package dev.baton.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports. They lie below the range from which systems take the ports of outgoing connections, so that no connection
 * takes one between the check and the start of the server; and 10000 above each is a valid port too, for the bus of a
 * Redis cluster. Another server can still be faster: who starts one must be ready to try again.
 */
final class Ports {

    private static final int FIRST = 15_000;
    private static final int LAST = 22_000;

    private Ports() {}

    static int free() {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port) && isFree(port + 10_000)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port between " + FIRST + " and " + LAST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
