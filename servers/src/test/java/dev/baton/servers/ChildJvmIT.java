package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChildJvmIT {

    private static final Map<String, String> NO_SERVERS = Map.of("DATABASE_URL", "", "REDIS_URL", "");

    @Test
    void a_killed_jvm_leaves_no_server_and_no_folder_behind() throws IOException, InterruptedException {
        assumeThat(Docker.answers()).isFalse();
        try (ChildJvm child = ChildJvm.start(NO_SERVERS, "embedded")) {
            assertAlive(child);

            child.kill();

            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertGone(child));
        }
    }

    @Test
    void a_jvm_that_exits_leaves_no_server_and_no_folder_behind() throws IOException, InterruptedException {
        assumeThat(Docker.answers()).isFalse();
        try (ChildJvm child = ChildJvm.start(NO_SERVERS, "embedded")) {
            assertAlive(child);

            child.exit();

            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertGone(child));
        }
    }

    @Test
    void the_servers_named_in_the_environment_are_used_and_left_clean() throws Exception {
        Map<String, String> named = Map.of(
                "DATABASE_URL", Postgres.get().databaseUrl(),
                "REDIS_URL", Redis.get().uri().toString());
        String schemas = "SELECT count(*) FROM pg_namespace";
        var source = Postgres.dataSource(Postgres.get().jdbcUrl());
        String before = Sql.text(source, schemas);

        try (ChildJvm child = ChildJvm.start(named)) {
            assertThat(child.fromEnd(1)).contains("named by DATABASE_URL at ").startsWith("PostgreSQL ");
            assertThat(child.fromEnd(0))
                    .contains("named by REDIS_URL at "
                            + RedisUrl.place(Redis.get().uri()))
                    .startsWith("Redis ");
            assertThat(Sql.text(source, schemas)).isNotEqualTo(before);

            child.exit();

            assertThat(Sql.text(source, schemas)).isEqualTo(before);
        }
    }

    @Test
    void a_bad_value_in_the_environment_stops_the_start() {
        Map<String, String> bad = Map.of("DATABASE_URL", "mysql://ann:s3cret@db/shop");

        assertThatThrownBy(() -> ChildJvm.start(bad)).isInstanceOf(IOException.class);
    }

    private static void assertAlive(ChildJvm child) {
        assertThat(Path.of(child.fromEnd(2))).isDirectory();
        assertThat(isAlive(child.fromEnd(1))).isTrue();
        assertThat(isAlive(child.fromEnd(0))).isTrue();
    }

    private static void assertGone(ChildJvm child) {
        assertThat(Path.of(child.fromEnd(2))).doesNotExist();
        assertThat(isAlive(child.fromEnd(1))).isFalse();
        assertThat(isAlive(child.fromEnd(0))).isFalse();
    }

    private static boolean isAlive(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).map(ProcessHandle::isAlive).orElse(false);
    }
}
