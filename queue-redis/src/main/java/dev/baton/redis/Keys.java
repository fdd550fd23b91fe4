package dev.baton.redis;

import java.util.List;

/** All key names of one queue; {@code package-info} says what they hold. */
final class Keys {
    private final String tag;
    private final List<String> exchange;

    Keys(String prefix, String queue) {
        this.tag = "{" + escape(prefix) + ":" + escape(queue) + "}";
        this.exchange = List.of(ready(), delayed(), leased(), dead(), hold(), wake(), totals());
    }

    String ready() {
        return tag + ":ready";
    }

    String delayed() {
        return tag + ":delayed";
    }

    String leased() {
        return tag + ":leased";
    }

    String dead() {
        return tag + ":dead";
    }

    String hold() {
        return tag + ":hold";
    }

    String wake() {
        return tag + ":wake";
    }

    String totals() {
        return tag + ":totals";
    }

    String session(String id) {
        return tag + ":session:" + id;
    }

    /** What a job's key begins with; the id follows as it is. */
    String jobPrefix() {
        return tag + ":job:";
    }

    String job(String id) {
        return jobPrefix() + id;
    }

    /** The keys of {@code exchange.lua} but the last, in its order. */
    List<String> exchange() {
        return exchange;
    }

    /** A closing brace would end the hash tag early, and a colon could make two queues collide. */
    private static String escape(String name) {
        return name.replace("%", "%25").replace("}", "%7D").replace(":", "%3A");
    }
}
