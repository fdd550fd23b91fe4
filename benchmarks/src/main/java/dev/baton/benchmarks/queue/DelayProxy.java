package dev.baton.benchmarks.queue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between a client and a server as a longer way would: what the client sends arrives later, all of it by the same
 * time, in order, and however much of it is on the way. The answers are passed on at once, so a round trip takes that
 * much longer.
 */
final class DelayProxy implements AutoCloseable {
    private static final int BUFFER = 256 * 1024;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ServerSocket listener;
    private final int serverPort;
    private final long delayNanos;

    DelayProxy(int serverPort, Duration delay) throws IOException {
        this.serverPort = serverPort;
        this.delayNanos = delay.toNanos();
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }

    private void accept() {
        try {
            while (!listener.isClosed()) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                BlockingQueue<Chunk> onTheWay = new LinkedBlockingQueue<>();
                threads.execute(() -> receive(client, onTheWay));
                threads.execute(() -> deliver(onTheWay, server));
                threads.execute(() -> passOn(server, client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void receive(Socket client, BlockingQueue<Chunk> onTheWay) {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = client.getInputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                onTheWay.add(new Chunk(System.nanoTime() + delayNanos, Arrays.copyOf(buffer, n)));
            }
        } catch (IOException e) {
            // The client has closed; so does the server's side, below.
        }
        onTheWay.add(new Chunk(System.nanoTime(), new byte[0]));
    }

    private static void deliver(BlockingQueue<Chunk> onTheWay, Socket server) {
        try (OutputStream out = server.getOutputStream()) {
            for (Chunk chunk = onTheWay.take(); chunk.bytes.length > 0; chunk = onTheWay.take()) {
                for (long left = chunk.left(); left > 0; left = chunk.left()) {
                    LockSupport.parkNanos(left);
                }
                out.write(chunk.bytes);
            }
        } catch (IOException | InterruptedException e) {
            // The server has closed, or this proxy has.
        }
    }

    private static void passOn(Socket server, Socket client) {
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // One of them has closed.
        }
    }

    /** Bytes and when they are due; none means the end. */
    private static final class Chunk {
        private final long dueNanos;
        private final byte[] bytes;

        Chunk(long dueNanos, byte[] bytes) {
            this.dueNanos = dueNanos;
            this.bytes = bytes;
        }

        long left() {
            return dueNanos - System.nanoTime();
        }
    }
}
