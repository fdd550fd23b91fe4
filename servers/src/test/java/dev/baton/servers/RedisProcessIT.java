package dev.baton.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisProcessIT {

    @Test
    void a_program_that_a_forked_process_still_holds_open_is_started_once_it_is_released(@TempDir Path folder)
            throws Exception {
        Path program = Files.writeString(folder.resolve("program"), "#!/bin/sh\nexit 7\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder = new ProcessBuilder(program.toString());
        CompletableFuture<Process> started;
        try (FileChannel held = FileChannel.open(program, StandardOpenOption.WRITE)) {
            assertThatThrownBy(builder::start).hasMessageContaining("error=26");
            started = CompletableFuture.supplyAsync(() -> {
                try {
                    return RedisCommand.start(builder);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            await().pollDelay(Duration.ofMillis(100)).until(() -> !started.isDone());
            assertThat(held.isOpen()).isTrue();
        }
        assertThat(started.get().waitFor()).isEqualTo(7);
    }

    @Test
    void a_stopped_server_comes_back_on_the_same_port() throws IOException {
        try (RedisProcess redis = RedisProcess.start()) {
            long first = RedisInfo.of(redis.uri()).pid();

            redis.stop();
            assertThatThrownBy(() -> RedisInfo.of(redis.uri())).isInstanceOf(ConnectException.class);

            redis.restart();
            assertThat(RedisInfo.of(redis.uri()).pid()).isNotEqualTo(first);
        }
    }

    @Test
    void a_killed_server_comes_back_on_the_same_port() throws IOException {
        try (RedisProcess redis = RedisProcess.start("--appendonly", "yes")) {
            redis.kill();
            assertThatThrownBy(() -> RedisInfo.of(redis.uri())).isInstanceOf(ConnectException.class);

            redis.restart();
            assertThat(RedisInfo.of(redis.uri()).version()).isNotEmpty();
        }
    }

    @Test
    void a_running_server_is_not_started_twice() {
        try (RedisProcess redis = RedisProcess.start()) {
            assertThatThrownBy(redis::restart).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void a_paused_server_does_not_answer_until_it_is_resumed() throws IOException {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.pause();
            assertThatThrownBy(() -> RedisInfo.of(redis.uri())).isInstanceOf(SocketTimeoutException.class);

            redis.resume();
            assertThat(RedisInfo.of(redis.uri()).version()).isNotEmpty();
        }
    }

    @Test
    void a_server_with_a_password_counts_as_started() {
        try (RedisProcess redis = RedisProcess.start("--requirepass", "s3cret")) {
            assertThatThrownBy(() -> RedisInfo.of(redis.uri())).hasMessageContaining("NOAUTH");
        }
    }

    @Test
    void the_configuration_file_may_come_first() throws IOException {
        var configuration = Files.createTempFile("baton-sentinel-", ".conf");
        try (RedisProcess redis = RedisProcess.start(configuration.toString(), "--sentinel")) {
            assertThat(RedisInfo.of(redis.uri()).version()).isNotEmpty();
        } finally {
            Files.delete(configuration);
        }
    }

    @Test
    void a_wrong_argument_is_reported_with_what_the_server_said() {
        assertThatThrownBy(() -> RedisProcess.start("--no-such-setting", "1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void nothing_is_left_after_closing() {
        RedisProcess redis = RedisProcess.start();
        redis.close();

        assertThatThrownBy(() -> RedisInfo.of(redis.uri())).isInstanceOf(ConnectException.class);
        assertThat(redis.folder()).doesNotExist();
    }
}
