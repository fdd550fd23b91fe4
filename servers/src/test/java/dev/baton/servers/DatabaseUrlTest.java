package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://ann:s3cret@db:5433/shop",
                "postgresql://ann:s3cret@db:5433/shop",
                "jdbc:postgresql://ann:s3cret@db:5433/shop",
                "jdbc:postgresql://db:5433/shop?user=ann&password=s3cret",
                " postgres://ann:s3cret@db:5433/shop\n"
            })
    void every_usual_form_names_the_same_server(String value) {
        assertThat(DatabaseUrl.parse("DATABASE_URL", value))
                .isEqualTo(new DatabaseUrl("jdbc:postgresql://db:5433/shop", "ann", "s3cret", "db:5433/shop"));
    }

    @Test
    void other_parameters_are_kept() {
        DatabaseUrl url =
                DatabaseUrl.parse("DATABASE_URL", "postgres://ann@db/shop?sslmode=require&password=x&a=b%20c");

        assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql://db:5432/shop?sslmode=require&a=b+c");
        assertThat(url.password()).isEqualTo("x");
    }

    @Test
    void user_and_password_may_be_percent_encoded() {
        DatabaseUrl url = DatabaseUrl.parse("DATABASE_URL", "postgres://a%40b:p%3Aw+%2F@db/shop");

        assertThat(url.user()).isEqualTo("a@b");
        assertThat(url.password()).isEqualTo("p:w+/");
    }

    @Test
    void user_and_password_may_be_missing() {
        DatabaseUrl url = DatabaseUrl.parse("DATABASE_URL", "postgres://db/shop");

        assertThat(url.user()).isEmpty();
        assertThat(url.password()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mysql://ann:s3cret@db/shop           | scheme
            jdbc:mysql://ann:s3cret@db/shop      | scheme
            ann:s3cret@db                        | scheme
            postgres://ann:s3cret@db:port/shop   | port
            postgres://ann:s3cret@db:70000/shop  | port
            postgres://ann:s3cret@db             | database
            postgres://ann:s3cret@db/            | database
            postgres://ann:s3cret@db/one/two     | database
            postgres://ann:s3cret^@db/shop       | percent-encoded
            postgres:///shop?password=s3cret     | host
            """)
    void a_bad_database_url_is_refused_without_showing_the_password(String value, String reason) {
        assertThatThrownBy(() -> DatabaseUrl.parse("DATABASE_URL", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("DATABASE_URL cannot be used: ")
                .hasMessageContaining(reason)
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @Test
    void printing_it_does_not_show_the_password() {
        assertThat(DatabaseUrl.parse("DATABASE_URL", "postgres://ann:s3cret@db/shop"))
                .hasToString("db:5432/shop");
    }
}
