package dev.baton.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What is wrong with a server for a queue: found with {@code INFO}, which managed Redis allows where it forbids
 * {@code CONFIG}, and by trying the commands on a key that is gone again at the end, since a user who may not run them may
 * not ask about his rights either.
 */
final class ServerCheck {
    private static final Pattern MAJOR_MINOR = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");
    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 2;

    private final Connection connection;
    private final String key;
    private final List<Problem> problems = new ArrayList<>();

    /**
     * Something to be told, with what to do.
     *
     * @param refuses whether no worker may start, because jobs would be lost or nothing would work
     */
    record Problem(boolean refuses, String text) {}

    private ServerCheck(Connection connection, String key) {
        this.connection = connection;
        this.key = key;
    }

    /**
     * All problems of the server behind this connection, the worst first.
     *
     * @param key that nothing else uses, in the slot of the queue
     * @throws redis.clients.jedis.exceptions.JedisException if it cannot be asked now
     */
    static List<Problem> of(Connection connection, String key) {
        ServerCheck check = new ServerCheck(connection, key);
        check.run();
        return List.copyOf(check.problems);
    }

    private void run() {
        Map<String, String> info = info();
        checkVersion(info.getOrDefault("redis_version", ""));
        checkPolicy(info.getOrDefault("maxmemory_policy", "noeviction"));
        if ("slave".equals(info.get("role"))) {
            warn("this server is a replica, which takes no jobs: connect to its master, or through its Sentinels with"
                    + " RedisServers.sentinel(..)");
            return;
        }
        if ("1".equals(info.get("cluster_enabled")) && !clusterIsOk()) {
            warn("this node says that its cluster is not ok: look at CLUSTER INFO");
            return;
        }
        problems.addAll(new PermissionCheck(connection, key).problems());
    }

    private Map<String, String> info() {
        Map<String, String> fields = new HashMap<>();
        try {
            text(new CommandArguments(Command.INFO)).lines().forEach(line -> {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    fields.put(
                            line.substring(0, colon), line.substring(colon + 1).strip());
                }
            });
        } catch (JedisDataException e) {
            rethrowIfMomentary(e);
            warn("the server does not let us see version, role and maxmemory-policy (" + e.getMessage()
                    + "): allow INFO, or see to it that they are 6.2 or newer, master and noeviction");
        }
        return fields;
    }

    private void checkVersion(String version) {
        if (isTooOld(version)) {
            problems.add(new Problem(true, "the server is Redis " + version + ": upgrade it to 6.2 or newer"));
        }
    }

    /** A server that keeps its version to itself, or counts otherwise, is not: the commands tell the rest. */
    static boolean isTooOld(String version) {
        Matcher numbers = MAJOR_MINOR.matcher(version);
        if (!numbers.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(numbers.group(1));
        return major < OLDEST_MAJOR || (major == OLDEST_MAJOR && Integer.parseInt(numbers.group(2)) < OLDEST_MINOR);
    }

    private void checkPolicy(String policy) {
        if (!policy.equals("noeviction")) {
            problems.add(new Problem(
                    true,
                    "maxmemory-policy is " + policy
                            + ", so Redis deletes jobs when memory is short: set it to noeviction"));
        }
    }

    private boolean clusterIsOk() {
        try {
            return text(new CommandArguments(Command.CLUSTER).add("INFO")).contains("cluster_state:ok");
        } catch (JedisDataException e) {
            rethrowIfMomentary(e);
            // Not allowed; if nothing works, the commands tell.
            return true;
        }
    }

    private String text(CommandArguments arguments) {
        return connection.executeCommand(new CommandObject<>(arguments, BuilderFactory.STRING));
    }

    private void warn(String text) {
        problems.add(new Problem(false, text));
    }

    /** A server that is loading its data says nothing about itself. */
    static void rethrowIfMomentary(JedisDataException e) {
        if (WrongNode.isMeantBy(e)) {
            throw e;
        }
    }
}
