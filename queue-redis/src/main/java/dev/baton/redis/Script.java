package dev.baton.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * A Lua script from a resource file. It is called by its digest; a server that does not know it (new, restarted, failed
 * over) is given the text in the same moment. Nothing is installed on the server under a name, so two versions of the
 * library can share it.
 */
enum Script {
    ENQUEUE("enqueue"),
    ACCEPT("accept"),
    EXCHANGE("exchange"),
    DEAD("dead"),
    FORGET("forget"),
    COUNTS("counts"),
    CONFIGURE("configure"),
    THROTTLE("throttle"),
    FIND("find"),
    LIST("list"),
    REMOVE("remove"),
    DRAIN("drain"),
    HURRY("hurry"),
    UPSERT("upsert"),
    UNSCHEDULE("unschedule"),
    PLANNED("planned"),
    AGENDA("agenda"),
    DUE("due"),
    FIRE("fire"),
    PROBE("probe");

    private final String text;
    private final String digest;

    Script(String file) {
        this.text = load(file);
        this.digest = sha1(text);
    }

    /** The whole text, with its parts in place. */
    String text() {
        return text;
    }

    String digest() {
        return digest;
    }

    /** All of it happens, or nothing; a reply that is lost tells not which. */
    Object call(UnifiedJedis redis, List<String> keys, List<String> arguments) {
        List<String> guarded = new ArrayList<>(keys);
        guarded.add(Keys.neverThere(keys.get(0)));
        try {
            return redis.evalsha(digest, guarded, arguments);
        } catch (JedisNoScriptException e) {
            return redis.eval(text, guarded, arguments);
        }
    }

    private static String load(String file) {
        return Pattern.compile("^-- @include (\\w+)$", Pattern.MULTILINE)
                .matcher(resource(file + ".lua"))
                .replaceAll(include -> Matcher.quoteReplacement(load(include.group(1))));
    }

    private static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + name + "; it is broken");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
