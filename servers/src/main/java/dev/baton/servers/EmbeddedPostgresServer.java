package dev.baton.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A PostgreSQL server that is a child process of this JVM, with its data in a temporary folder. */
final class EmbeddedPostgresServer {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgresServer.class);

    private static final int ATTEMPTS = 4;

    private EmbeddedPostgresServer() {}

    static Postgres start() {
        Path log = Workspace.folder().resolve("postgres.log");
        Exception last = null;
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Path data = Workspace.folder().resolve("postgres-" + attempt);
            Guardian.stopPostgres(data);
            try {
                return start(Ports.free(), data, log);
            } catch (IOException | SQLException | RuntimeException e) {
                last = e;
                kill(data);
                if (!Workspace.tail(log).contains("Address already in use")) {
                    break;
                }
            }
        }
        throw new IllegalStateException(
                "The embedded PostgreSQL does not start" + hint() + ". " + Workspace.tail(log), last);
    }

    private static Postgres start(int port, Path data, Path log) throws IOException, SQLException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(data)
                .setCleanDataDirectory(true)
                .setRegisterShutdownHook(false)
                .setOutputRedirector(Redirect.appendTo(log.toFile()))
                .setPGStartupWait(Duration.ofSeconds(30))
                .setLocaleConfig("locale", "C")
                .setServerConfig("max_connections", "250")
                // The library prefers speed; these are the settings PostgreSQL ships with.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        AtExit.run(() -> stop(server));
        Postgres postgres = Postgres.answering(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres", "", "embedded on port " + port);
        // When the port was taken after all, another PostgreSQL may have answered.
        String answering = Sql.text(postgres.source(postgres.jdbcUrl()), "SHOW data_directory");
        if (!Path.of(answering).equals(data)) {
            throw new IOException("Address already in use: port " + port + " belongs to " + answering);
        }
        return postgres;
    }

    private static void stop(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("The embedded PostgreSQL did not stop: {}", e.getMessage());
        }
    }

    private static void kill(Path data) {
        try {
            Path file = data.resolve("postmaster.pid");
            if (Files.exists(file)) {
                long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("A PostgreSQL that failed to start may still be running: {}", e.getMessage());
        }
    }

    private static String hint() {
        return "root".equals(System.getProperty("user.name")) && !LinuxUtils.isUnshareAvailable()
                ? ", because PostgreSQL refuses to run as root and this machine has no user namespaces: use another"
                        + " user, or name a server in DATABASE_URL"
                : "";
    }
}
