package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class ServersIT {

    @Test
    void both_servers_start_and_answer() throws SQLException, IOException {
        assertThat(Servers.startAll())
                .contains(Postgres.get().describe(), Redis.get().describe())
                .containsPattern("ready after \\d+\\.\\d s");

        DataSource source = Postgres.dataSource(Postgres.get().jdbcUrl());
        assertThat(Sql.text(source, "SELECT version()")).startsWith("PostgreSQL ");
        assertThat(RedisInfo.of(Redis.get().uri()).version()).isNotEmpty();
    }

    @Test
    void the_same_servers_are_returned_each_time() {
        assertThat(Postgres.get()).isSameAs(Postgres.get());
        assertThat(Redis.get()).isSameAs(Redis.get());
    }

    @Test
    void an_embedded_database_is_as_careful_as_a_real_one() throws SQLException {
        assumeThat(Postgres.get().describe()).contains("embedded");
        DataSource source = Postgres.dataSource(Postgres.get().jdbcUrl());

        assertThat(Sql.text(source, "SHOW fsync")).isEqualTo("on");
        assertThat(Sql.text(source, "SHOW synchronous_commit")).isEqualTo("on");
    }

    @Test
    void fresh_schemas_do_not_see_each_other() throws SQLException {
        DataSource one = Postgres.dataSource(Postgres.freshSchema());
        DataSource two = Postgres.dataSource(Postgres.freshSchema());

        Sql.run(one, "CREATE TABLE orders (id int)", "INSERT INTO orders VALUES (1)");
        Sql.run(two, "CREATE TABLE orders (id int)");

        assertThat(Sql.text(one, "SELECT count(*) FROM orders")).isEqualTo("1");
        assertThat(Sql.text(two, "SELECT count(*) FROM orders")).isEqualTo("0");
    }

    @Test
    void fresh_prefixes_differ() {
        assertThat(Redis.freshPrefix()).startsWith("baton-").isNotEqualTo(Redis.freshPrefix());
    }
}
