package dev.baton.servers;

import java.net.URI;
import java.sql.SQLException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Servers in containers. Testcontainers removes them after this JVM has ended, however it ended. */
final class Containers {

    private Containers() {}

    static Postgres postgres() {
        PostgreSQLContainer container = new PostgreSQLContainer(DockerImageName.parse("postgres:18-alpine"));
        container.withCommand("postgres", "-c", "max_connections=250");
        container.start();
        AtExit.run(container::stop);
        String where = "in a container at " + container.getHost() + ":"
                + container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT);
        try {
            return Postgres.answering(container.getJdbcUrl(), container.getUsername(), container.getPassword(), where);
        } catch (SQLException e) {
            throw new IllegalStateException("The PostgreSQL " + where + " cannot be used", e);
        }
    }

    static URI redis() {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse("redis:8-alpine"));
        container.withCommand("redis-server", "--save", "", "--appendonly", "no");
        container.withExposedPorts(6379);
        container.start();
        AtExit.run(container::stop);
        return URI.create("redis://" + container.getHost() + ":" + container.getMappedPort(6379));
    }
}
