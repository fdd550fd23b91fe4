package dev.baton.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DatabaseTest {
    @Test
    void the_usual_form_of_a_database_url_is_understood() {
        assertThat(Database.jdbcUrl("postgres://shop:s3%40cret@db:5433/shop?sslmode=require"))
                .isEqualTo("jdbc:postgresql://db:5433/shop?user=shop&password=s3%40cret&sslmode=require");
        assertThat(Database.jdbcUrl("jdbc:postgresql://db/shop?user=x")).isEqualTo("jdbc:postgresql://db/shop?user=x");
    }
}
