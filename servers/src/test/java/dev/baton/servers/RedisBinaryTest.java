package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisBinaryTest {
    @TempDir
    private Path folder;

    @Test
    void a_program_may_be_named_and_no_name_means_the_unpacked_one() throws IOException {
        Path program = Files.createFile(folder.resolve("valkey-server"));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        assertThat(RedisBinary.named(Map.of("REDIS_SERVER", program.toString())))
                .isEqualTo(program);
        assertThat(RedisBinary.named(Map.of("REDIS_SERVER", " "))).isNull();
        assertThat(RedisBinary.named(Map.of())).isNull();
    }

    @Test
    void a_name_that_is_no_program_is_told() throws IOException {
        Path text = Files.createFile(folder.resolve("readme.txt"));
        for (Path bad : new Path[] {text, folder, folder.resolve("absent")}) {
            assertThatThrownBy(() -> RedisBinary.named(Map.of("REDIS_SERVER", bad.toString())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("REDIS_SERVER", bad.toString(), "valkey-server");
        }
    }
}
