package dev.baton.redis;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Jedis's sockets to one node, whose readers {@linkplain BusyPoll look} for an answer before they sleep. With TLS they only
 * sleep: what has come in cannot be asked for there. Thread-safe.
 */
final class PolledSockets extends DefaultJedisSocketFactory {
    private final JedisClientConfig config;
    private final BusyPoll.Gate gate;

    PolledSockets(HostAndPort node, JedisClientConfig config, BusyPoll.Gate gate) {
        super(node, config);
        this.config = config;
        this.gate = gate;
    }

    @Override
    public Socket createSocket() {
        return config.isSsl() || config.getSslOptions() != null ? super.createSocket() : connect(getHostAndPort());
    }

    /** To the first of the node's addresses that answers. */
    private Socket connect(HostAndPort node) {
        JedisConnectionException failure =
                new JedisConnectionException("no address of " + node + " can be connected to");
        for (InetAddress address : addresses(node)) {
            try {
                return connect(new InetSocketAddress(address, node.getPort()));
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    private static InetAddress[] addresses(HostAndPort node) {
        try {
            return InetAddress.getAllByName(node.getHost());
        } catch (UnknownHostException e) {
            throw new JedisConnectionException("the host of " + node + " is not known", e);
        }
    }

    private Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Polled(new BusyPoll(gate));
        try {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            // As Jedis does: a closed connection leaves nothing behind that waits in the kernel.
            socket.setSoLinger(true, 0);
            socket.connect(address, config.getConnectionTimeoutMillis());
            socket.setSoTimeout(config.getSocketTimeoutMillis());
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static final class Polled extends Socket {
        private final BusyPoll poll;

        private Polled(BusyPoll poll) {
            this.poll = poll;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int from, int count) throws IOException {
                    poll.asked();
                    out.write(bytes, from, count);
                }
            };
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] bytes, int from, int most) throws IOException {
                    poll.await(in);
                    return in.read(bytes, from, most);
                }
            };
        }
    }
}
