package dev.baton.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A TCP proxy on 127.0.0.1 in front of a server, for tests in which that server is away. It counts who comes.
 *
 * <p>The methods may be called by several threads.
 */
public final class Gate implements AutoCloseable {
    private final String host;
    private final int port;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final List<Long> arrivals = new ArrayList<>();
    private State state = State.OPEN;

    private enum State {
        OPEN,
        SHUT,
        FROZEN
    }

    private Gate(String host, int port) {
        this.host = host;
        this.port = port;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("No port for a gate to " + host + ":" + port, e);
        }
        thread(this::accept);
    }

    /**
     * Makes an open gate.
     *
     * @param server with host and port, such as {@code redis://127.0.0.1:6379}
     * @return the gate
     */
    public static Gate to(URI server) {
        return new Gate(server.getHost(), server.getPort());
    }

    /**
     * Returns the port of the gate.
     *
     * @return a port of 127.0.0.1
     */
    public int port() {
        return listener.getLocalPort();
    }

    /** Cuts all connections, and from now on each new one as soon as it is made. */
    public void shut() {
        change(State.SHUT);
        sockets.forEach(Gate::close);
    }

    /** Passes nothing on, in either direction, as a network does that swallows everything. */
    public void freeze() {
        change(State.FROZEN);
    }

    /** Passes everything on again, also what came while it was frozen. */
    public void open() {
        change(State.OPEN);
    }

    /** Forgets who came until now. */
    public synchronized void countFromNow() {
        arrivals.clear();
    }

    /**
     * Returns how many connections were opened within a second, at most.
     *
     * @return the largest number in any second, however it is placed
     */
    public synchronized int mostInASecond() {
        int most = 0;
        int first = 0;
        for (int last = 0; last < arrivals.size(); last++) {
            while (arrivals.get(last) - arrivals.get(first) >= TimeUnit.SECONDS.toNanos(1)) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    @Override
    public void close() {
        shut();
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void change(State to) {
        state = to;
        notifyAll();
    }

    private synchronized void arrived() {
        arrivals.add(System.nanoTime());
    }

    /** Waits while it is frozen; whether it is open then. */
    private synchronized boolean opens() throws InterruptedException {
        while (state == State.FROZEN) {
            wait();
        }
        return state == State.OPEN;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            arrived();
            thread(() -> connect(client));
        }
    }

    private void connect(Socket client) throws IOException, InterruptedException {
        sockets.add(client);
        try (client) {
            if (!opens()) {
                return;
            }
            try (Socket server = new Socket(host, port)) {
                sockets.add(server);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                thread(() -> pump(server, client));
                pump(client, server);
            }
        } finally {
            sockets.remove(client);
        }
    }

    private void pump(Socket from, Socket to) throws IOException, InterruptedException {
        byte[] buffer = new byte[64 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0 && opens(); n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
        } finally {
            sockets.remove(from);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void thread(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException | InterruptedException e) {
                // One of the two sides is gone, which is all that can happen here.
            }
        });
        thread.setName("baton-gate");
        thread.setDaemon(true);
        thread.start();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }
}
