package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScriptTest {
    private static final Path FOLDER = Path.of("src/main/resources/dev/baton/redis");

    @Test
    void every_file_is_a_script_or_part_of_one() throws IOException {
        List<String> scripts = Stream.of(Script.values()).map(Script::text).toList();
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(file ->
                            assertThat(scripts).as("%s", file).anyMatch(script -> script.contains(firstLine(file))));
        }
    }

    @Test
    void every_script_says_what_it_reads_and_what_it_answers() {
        for (Script script : Script.values()) {
            assertThat(script.text()).as("%s", script).contains("-- KEYS ").contains("-- answer ");
        }
    }

    @Test
    void no_script_walks_the_keyspace_parses_a_payload_or_installs_itself() {
        for (Script script : Script.values()) {
            assertThat(script.text())
                    .as("%s", script)
                    .doesNotContain("'KEYS'")
                    .doesNotContain("SCAN'")
                    .doesNotContain("cjson")
                    .doesNotContain("cmsgpack")
                    .doesNotContain("'FUNCTION")
                    .doesNotContain("'SCRIPT")
                    .doesNotContain("@include");
        }
    }

    private static String firstLine(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8).get(0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
