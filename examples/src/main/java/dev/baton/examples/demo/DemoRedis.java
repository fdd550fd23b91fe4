package dev.baton.examples.demo;

import dev.baton.servers.Redis;
import dev.baton.servers.RedisProcess;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A Redis that can be killed: one that is started for this demo and keeps its data on disk. One that is named by {@code
 * REDIS_URL} belongs to somebody else and is left alone.
 */
public final class DemoRedis implements AutoCloseable {
    private final @Nullable RedisProcess process;

    private DemoRedis(@Nullable RedisProcess process) {
        this.process = process;
    }

    /** Starts it, unless one is named. */
    public static DemoRedis start() {
        String named = System.getenv().getOrDefault("REDIS_URL", "");
        return new DemoRedis(named.isBlank() ? RedisProcess.start("--appendonly", "yes") : null);
    }

    /** Where it answers. */
    public URI uri() {
        return process == null ? Redis.get().uri() : process.uri();
    }

    /** Says which it is. */
    public String describe() {
        return process == null ? Redis.get().describe() : "Redis on disk on port " + process.port();
    }

    /** Whether it may be killed. */
    public boolean isOurs() {
        return process != null;
    }

    /** SIGKILL, and a new start with what is on its disk. Returns when it answers. */
    public void killAndRestart() {
        if (process != null) {
            process.kill();
            process.restart();
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
