package dev.baton.redis;

import dev.baton.redis.ServerCheck.Problem;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Which of the commands that a queue needs its user may not run here. */
final class PermissionCheck {
    private final Connection connection;
    private final String key;
    private final List<Problem> problems = new ArrayList<>();

    PermissionCheck(Connection connection, String key) {
        this.connection = connection;
        this.key = key;
    }

    List<Problem> problems() {
        if (runs("EVAL", script(Command.EVAL, Script.PROBE.text()), true)) {
            runs("EVALSHA", script(Command.EVALSHA, Script.PROBE.digest()), false);
        }
        runs("BLPOP", new CommandArguments(Command.BLPOP).key(key).add("0.01"), false);
        return problems;
    }

    private CommandArguments script(Command command, String which) {
        return new CommandArguments(command).add(which).add(1).key(key);
    }

    private boolean runs(String name, CommandArguments command, boolean probes) {
        try {
            List<String> answer = connection.executeCommand(new CommandObject<>(command, BuilderFactory.STRING_LIST));
            for (int i = 0; probes && i < answer.size(); i += 2) {
                add(answer.get(i), answer.get(i + 1));
            }
            return true;
        } catch (JedisNoScriptException forgotten) {
            // Restarted or flushed since EVAL; only who may call it learns that.
            return true;
        } catch (JedisDataException e) {
            ServerCheck.rethrowIfMomentary(e);
            add(name, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void add(String command, String error) {
        problems.add(new Problem(
                false,
                "the command " + command + " fails (" + error + "): allow it and the keys to the user of the queue"));
    }
}
