package dev.baton.redis;

import java.util.List;

/** All key names of one queue; {@code package-info} says what they hold. */
final class Keys {
    private final String tag;

    Keys(String prefix, String queue) {
        this.tag = "{" + escape(prefix) + ":" + escape(queue) + "}";
    }

    /** Of a partition of a queue: a slot of its own. No queue has this tag, because a colon in a name is escaped. */
    Keys(String prefix, String queue, int partition) {
        this.tag = "{" + escape(prefix) + ":" + escape(queue) + ":" + partition + "}";
    }

    /** What all of them begin with; the scripts make the names that depend on a job. */
    String tag() {
        return tag;
    }

    String ready() {
        return tag + ":ready";
    }

    String urgent() {
        return tag + ":urgent";
    }

    String delayed() {
        return tag + ":delayed";
    }

    String blocked() {
        return tag + ":blocked";
    }

    String leased() {
        return tag + ":leased";
    }

    String dead() {
        return tag + ":dead";
    }

    String completed() {
        return tag + ":completed";
    }

    String starts() {
        return tag + ":starts";
    }

    String config() {
        return tag + ":config";
    }

    String wake() {
        return tag + ":wake";
    }

    String totals() {
        return tag + ":totals";
    }

    String schedules() {
        return tag + ":schedules";
    }

    String partitions() {
        return tag + ":partitions";
    }

    String session(String id) {
        return tag + ":session:" + id;
    }

    String job(String id) {
        return tag + ":job:" + id;
    }

    String schedule(String id) {
        return tag + ":schedule:" + id;
    }

    String orderingKey(String key) {
        return tag + ":key:" + key;
    }

    String unique(String id) {
        return tag + ":unique:" + id;
    }

    /** @param owner names an outbox and a shard */
    String relay(String owner) {
        return tag + ":relay:" + owner;
    }

    /**
     * A key of the same queue that never exists. While its slot moves to another node, a cluster refuses a script at once if one
     * of its keys is not there ({@code TRYAGAIN}, or {@code ASK} if none is), and without this one it might find them all, and
     * fail half-way at the first record that has moved already: there is no going back from there.
     */
    static String neverThere(String key) {
        return key.substring(0, key.indexOf('}') + 1) + ":none";
    }

    /** In the order of {@code accept.lua}. */
    List<String> accept(String owner) {
        return List.of(ready(), urgent(), delayed(), blocked(), completed(), wake(), totals(), relay(owner));
    }

    /** In the order of {@code enqueue.lua}. */
    List<String> enqueue() {
        return List.of(ready(), urgent(), delayed(), blocked(), completed(), wake(), totals());
    }

    /** In the order of {@code fire.lua}. */
    List<String> fire() {
        return List.of(ready(), urgent(), delayed(), blocked(), completed(), wake(), totals(), schedules());
    }

    /** In the order of {@code exchange.lua}. */
    List<String> exchange(String session) {
        return List.of(
                ready(),
                urgent(),
                delayed(),
                blocked(),
                leased(),
                dead(),
                completed(),
                starts(),
                config(),
                wake(),
                totals(),
                session(session));
    }

    /** In the order of {@code configure.lua}. */
    List<String> configure() {
        return List.of(config(), wake());
    }

    /** In the order of {@code counts.lua}. */
    List<String> counts() {
        return List.of(ready(), urgent(), delayed(), blocked(), leased(), dead(), completed(), totals());
    }

    /** In the order of {@code places.lua}. */
    List<String> places() {
        return List.of(ready(), urgent(), delayed(), blocked(), leased(), dead(), completed(), totals(), wake());
    }

    /** All that is left of a queue without jobs; the sessions expire. */
    List<String> rest() {
        return List.of(leased(), starts(), config(), wake(), totals());
    }

    /** A closing brace would end the hash tag early, and a colon could make two queues collide. */
    private static String escape(String name) {
        return name.replace("%", "%25").replace("}", "%7D").replace(":", "%3A");
    }
}
