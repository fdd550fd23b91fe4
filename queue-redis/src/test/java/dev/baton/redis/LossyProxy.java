package dev.baton.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a client and Redis, and breaks the connection instead of passing on every n-th answer of a script. */
final class LossyProxy implements AutoCloseable {
    final AtomicInteger lost = new AtomicInteger();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger scripts = new AtomicInteger();
    private final URI server;
    private final int every;
    private final ServerSocket listener;

    LossyProxy(URI server, int every) throws IOException {
        this.server = server;
        this.every = every;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    URI uri() {
        return URI.create("redis://127.0.0.1:" + listener.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }

    private void accept() {
        try {
            while (!listener.isClosed()) {
                new Pair(listener.accept(), new Socket(server.getHost(), server.getPort())).start();
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    /** One client's connection and ours to the server. */
    private final class Pair {
        private final Socket client;
        private final Socket redis;
        private volatile boolean dropNext;

        private Pair(Socket client, Socket redis) {
            this.client = client;
            this.redis = redis;
        }

        private void start() {
            threads.execute(() -> pump(client, redis, true));
            threads.execute(() -> pump(redis, client, false));
        }

        private void pump(Socket from, Socket to, boolean request) {
            byte[] buffer = new byte[64 * 1024];
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (request && new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains("EVALSHA")) {
                        dropNext = scripts.incrementAndGet() % every == 0;
                    } else if (!request && dropNext) {
                        lost.incrementAndGet();
                        return;
                    }
                    out.write(buffer, 0, n);
                }
            } catch (IOException e) {
                // The other side has closed.
            }
        }
    }
}
