package dev.baton.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * The {@code redis-server} program: the one named by {@code REDIS_SERVER}, such as another version or Valkey; or else that
 * of this system, unpacked once per JVM into the {@link Workspace}.
 */
final class RedisBinary {

    private static final String VARIABLE = "REDIS_SERVER";
    private static final Once<Path> FILE = new Once<>(RedisBinary::find);

    private RedisBinary() {}

    static Path file() {
        return FILE.get();
    }

    private static Path find() {
        Path named = named(System.getenv());
        return named == null ? unpack() : named;
    }

    static @Nullable Path named(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (named.isBlank()) {
            return null;
        }
        Path file = Path.of(named).toAbsolutePath();
        if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
            throw new IllegalStateException(VARIABLE + " is '" + named
                    + "', and that is no program; name a redis-server or valkey-server, or leave it out");
        }
        return file;
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
