package dev.baton.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * PgBouncer in transaction mode in front of {@link Postgres#get() the server}: any number of clients share a few connections,
 * and a client keeps one for the length of a transaction only. The process is gone when it is {@link #close() closed} or when
 * the JVM is gone.
 */
public final class PgBouncer implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final int port;
    private final Path folder;
    private final Process process;

    private PgBouncer(int port, Path folder, Process process) {
        this.port = port;
        this.folder = folder;
        this.process = process;
    }

    /**
     * Says whether the program is installed.
     *
     * @return false if there is no {@code pgbouncer}; Debian's package has that name
     */
    public static boolean isInstalled() {
        return binary().isPresent();
    }

    /**
     * Starts it on a free port.
     *
     * @param connections to the server, at most
     * @return the pooler, ready to answer
     * @throws IllegalStateException if it is not installed or does not start
     */
    public static PgBouncer start(int connections) {
        int port = Ports.free();
        Path folder = Workspace.folder().resolve("pgbouncer-" + port);
        try {
            Files.createDirectories(folder);
            Path settings = Files.writeString(folder.resolve("pgbouncer.ini"), settings(port, connections));
            Process process = new ProcessBuilder(words(settings))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.to(log(folder).toFile()))
                    .start();
            Guardian.kill(process);
            PgBouncer started = new PgBouncer(port, folder, process);
            AtExit.run(started::close);
            started.awaitAnswer();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("pgbouncer cannot be started", e);
        }
    }

    /**
     * Returns the JDBC URL. User and password do not matter: it knows its own.
     *
     * @return a URL without the parameters that transaction mode asks for
     */
    public String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/baton";
    }

    @Override
    public void close() {
        process.destroyForcibly();
        Guardian.forget(process);
        if (Files.exists(folder)) {
            Workspace.delete(folder);
        }
    }

    private void awaitAnswer() {
        long began = System.nanoTime();
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - began > PATIENCE_NANOS) {
                    String said = Workspace.tail(log(folder));
                    close();
                    throw new IllegalStateException("pgbouncer does not answer on port " + port + ": " + said, e);
                }
                Thread.onSpinWait();
            }
        }
    }

    private static String settings(int port, int connections) {
        Postgres server = Postgres.get();
        URI uri = URI.create(server.jdbcUrl().substring("jdbc:".length()));
        int serverPort = uri.getPort() < 0 ? 5432 : uri.getPort();
        return """
                [databases]
                baton = host=%s port=%d dbname=%s user=%s%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 200
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                        uri.getHost(),
                        serverPort,
                        uri.getPath().substring(1),
                        server.user(),
                        password(server),
                        port,
                        connections);
    }

    /** An empty one it does not understand. */
    private static String password(Postgres server) {
        return server.password().isEmpty()
                ? ""
                : " password='" + server.password().replace("'", "''") + "'";
    }

    /** It refuses to run as root. */
    private static List<String> words(Path settings) {
        List<String> words = new ArrayList<>();
        words.add(binary().orElseThrow(() ->
                        new IllegalStateException("there is no pgbouncer on the PATH; Debian's package has that name"))
                .toString());
        if ("root".equals(System.getProperty("user.name"))) {
            words.addAll(List.of("-u", "nobody"));
        }
        words.add(settings.toString());
        return words;
    }

    private static Path log(Path folder) {
        return folder.resolve("pgbouncer.log");
    }

    /** Where Debian puts it is not on the PATH of everybody. */
    private static Optional<Path> binary() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)), Stream.of("/usr/sbin", "/usr/local/sbin"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
