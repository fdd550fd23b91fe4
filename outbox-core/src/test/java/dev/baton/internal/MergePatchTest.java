package dev.baton.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":\"b\"}|{\"a\":\"c\"}|{\"a\":\"c\"}",
                "{\"a\":\"b\"}|{\"b\":\"c\"}|{\"a\":\"b\",\"b\":\"c\"}",
                "{\"a\":\"b\"}|{\"a\":null}|{}",
                "{\"a\":\"b\",\"b\":\"c\"}|{\"a\":null}|{\"b\":\"c\"}",
                "{\"a\":[\"b\"]}|{\"a\":\"c\"}|{\"a\":\"c\"}",
                "{\"a\":\"c\"}|{\"a\":[\"b\"]}|{\"a\":[\"b\"]}",
                "{\"a\":{\"b\":\"c\"}}|{\"a\":{\"b\":\"d\",\"c\":null}}|{\"a\":{\"b\":\"d\"}}",
                "{\"a\":[{\"b\":\"c\"}]}|{\"a\":[1]}|{\"a\":[1]}",
                "[\"a\",\"b\"]|[\"c\",\"d\"]|[\"c\",\"d\"]",
                "{\"a\":\"b\"}|[\"c\"]|[\"c\"]",
                "{\"a\":\"foo\"}|null|null",
                "{\"a\":\"foo\"}|\"bar\"|\"bar\"",
                "{\"e\":null}|{\"a\":1}|{\"e\":null,\"a\":1}",
                "[1,2]|{\"a\":\"b\",\"c\":null}|{\"a\":\"b\"}",
                "{}|{\"a\":{\"bb\":{\"ccc\":null}}}|{\"a\":{\"bb\":{}}}"
            })
    void every_example_of_the_rfc_comes_out_as_it_says(String target, String patch, String result) {
        assertThat(MergePatch.apply(target, patch)).isEqualTo(result);
    }

    @Test
    void numbers_keep_their_digits() {
        assertThat(MergePatch.apply("{\"a\":9007199254740993,\"b\":1.10,\"c\":0.12345678901234567890}", "{\"d\":2}"))
                .isEqualTo("{\"a\":9007199254740993,\"b\":1.10,\"c\":0.12345678901234567890,\"d\":2}");
    }

    @Test
    void what_is_not_json_is_refused_without_being_quoted() {
        assertThatThrownBy(() -> MergePatch.apply("secret", "{}"))
                .hasMessageContaining("the payload is not JSON")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> MergePatch.check("{} {}")).hasMessageContaining("the patch is not JSON");
        assertThatThrownBy(() -> MergePatch.check(" ")).hasMessageContaining("the patch");
    }
}
