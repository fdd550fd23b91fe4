package dev.baton.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import redis.embedded.core.ExecutableProvider;

/** The {@code redis-server} program of this system, unpacked once per JVM into the {@link Workspace}. */
final class RedisBinary {

    private static final Once<Path> FILE = new Once<>(RedisBinary::unpack);

    private RedisBinary() {}

    static Path file() {
        return FILE.get();
    }

    private static Path unpack() {
        try {
            Path folder = Files.createDirectories(Workspace.folder().resolve("redis-bin"));
            return ExecutableProvider.newJarResourceProvider(folder.toFile())
                    .get()
                    .toPath();
        } catch (IOException e) {
            throw new UncheckedIOException("There is no redis-server for this system; name a server in REDIS_URL", e);
        }
    }
}
