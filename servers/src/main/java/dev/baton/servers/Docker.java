package dev.baton.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/**
 * Whether a Docker engine answers. A look at its socket comes first: on a machine without Docker, Testcontainers would
 * try its strategies one by one and print the stack traces of their failures.
 */
final class Docker {

    private static final Logger LOG = LoggerFactory.getLogger(Docker.class);

    private static final Once<Boolean> ANSWERS = new Once<>(Docker::ask);

    private Docker() {}

    static boolean answers() {
        return ANSWERS.get();
    }

    private static boolean ask() {
        if (!listens(System.getenv("DOCKER_HOST"))) {
            return false;
        }
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (RuntimeException | LinkageError e) {
            LOG.info("Something listens on the address of Docker, but no engine answers: {}", e.toString());
            return false;
        }
    }

    private static boolean listens(@Nullable String dockerHost) {
        URI host = URI.create(dockerHost == null || dockerHost.isBlank() ? "unix:///var/run/docker.sock" : dockerHost);
        try {
            return switch (String.valueOf(host.getScheme())) {
                case "unix" -> connectsTo(Path.of(host.getPath()));
                case "tcp", "http", "https" -> connectsTo(host.getHost(), host.getPort());
                default -> true;
            };
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private static boolean connectsTo(Path socket) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        }
    }

    private static boolean connectsTo(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), 1000);
            return true;
        }
    }
}
