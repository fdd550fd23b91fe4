package dev.baton.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintTest {
    @Test
    void what_means_the_same_has_the_same_fingerprint() {
        Fingerprint one = Fingerprint.ofJson("{\"a\":[1,2.50,\"\u00e9/\"],\"b\":{\"c\":null,\"d\":true}}");
        assertThat(Fingerprint.ofJson(
                        " {\n\"b\" : {\"d\":true, \"\\u0063\":null}, \"a\":[1.0,\t25e-1,\"\\u00E9\\/\"] } "))
                .isEqualTo(one);
    }

    @Test
    void what_means_something_else_has_another() {
        List<String> different = List.of(
                "1",
                "-1",
                "10",
                "\"1\"",
                "[1]",
                "[[1]]",
                "[1,2]",
                "[2,1]",
                "{\"1\":1}",
                "{\"1\":[1]}",
                "true",
                "null",
                "\"true\"",
                "9007199254740993",
                "9007199254740992",
                "0.1",
                "0.10000000000000000000001",
                "\"a,b\"",
                "[\"a\",\"b\"]",
                "[\"a,b\"]",
                "\"\\\"\"",
                "\"\\\\\"",
                "\"\\ud800\"",
                "\"\\ud801\"",
                "\"?\"",
                "{}",
                "[]",
                "\"\"");
        assertThat(different.stream().map(Fingerprint::ofJson).distinct()).hasSameSizeAs(different);
    }

    @Test
    void the_order_of_names_never_matters() {
        Random random = new Random(3);
        for (int round = 0; round < 200; round++) {
            List<String> members = new ArrayList<>();
            for (int i = 0; i < random.nextInt(8); i++) {
                members.add("\"" + (char) ('a' + i) + "\u20ac\":" + random.nextInt());
            }
            Fingerprint sorted = Fingerprint.ofJson("{" + String.join(",", members) + "}");
            Collections.shuffle(members, random);
            assertThat(Fingerprint.ofJson("{" + String.join(" , ", members) + "}"))
                    .isEqualTo(sorted);
        }
    }

    @Test
    void the_canonical_text_is_that_of_rfc_8785_but_keeps_all_digits() {
        assertThat(CanonicalJson.of("{\"peach\":\"\\u000a\",\"10\":1.50,\"1\":[1E2,-0,0.0,123456789012345678901]}"))
                .isEqualTo("{\"1\":[1e2,0,0,123456789012345678901],\"10\":15e-1,\"peach\":\"\\u000a\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1",
                "\"a",
                "{\"a\"}",
                "{\"a\":}",
                "[1,]",
                "{,}",
                "01",
                "+1",
                ".5",
                "1.",
                "1e",
                "tru",
                "nul",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\u0001\"",
                "1 2",
                "{a:1}",
                "{\"a\":1,\"a\":2}",
                "NaN"
            })
    void what_is_not_json_is_refused_with_the_place_and_without_the_text(String text) {
        assertThatThrownBy(() -> Fingerprint.ofJson(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("the request is not JSON: .* at character \\d+");
    }

    @Test
    void a_text_made_to_hurt_is_refused_or_read_in_no_time() {
        assertThatThrownBy(() -> Fingerprint.ofJson("[".repeat(100_000)))
                .hasMessageContaining("nested deeper than 200");
        assertThatThrownBy(() -> Fingerprint.ofJson("1".repeat(1_000_000)))
                .hasMessageContaining("more than 1000 characters");
        assertThat(CanonicalJson.of("1e999999999")).isEqualTo("1e999999999");
        assertThatThrownBy(() -> CanonicalJson.of("1e9999999999")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bytes_are_taken_as_they_are_and_a_fingerprint_has_one_form() {
        assertThat(Fingerprint.ofBytes(new byte[0]).hex())
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assertThatThrownBy(() -> new Fingerprint("abc")).hasMessageContaining("64 hexadecimal digits");
    }
}
