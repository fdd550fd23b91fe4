package dev.baton.servers;

import java.io.IOException;
import java.net.URI;

/** Chooses the Redis server: named, in a container or embedded. */
final class RedisStart {

    private static final String VARIABLE = "REDIS_URL";

    private RedisStart() {}

    static Redis start() {
        return Took.logged(RedisStart::choose, Redis::describe);
    }

    private static Redis choose() {
        String named = System.getenv(VARIABLE);
        if (named != null && !named.isBlank()) {
            URI uri = RedisUrl.parse(VARIABLE, named);
            return describe(uri, "named by " + VARIABLE + " at " + RedisUrl.place(uri));
        }
        if (Docker.answers()) {
            URI uri = Containers.redis();
            return describe(uri, "in a container at " + RedisUrl.place(uri));
        }
        RedisProcess process = RedisProcess.start();
        return describe(process.uri(), "embedded on port " + process.port());
    }

    private static Redis describe(URI uri, String where) {
        try {
            return new Redis(uri, "Redis " + RedisInfo.of(uri).version() + " " + where);
        } catch (IOException e) {
            throw new IllegalStateException("The Redis " + where + " cannot be used: " + e.getMessage(), e);
        }
    }
}
