package dev.baton.redis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The whole queue as it stands in Redis, in the form of {@link ModelQueue#state}. One script, so one moment. */
final class RealState {
    private static final String SCRIPT = """
            local t, out = ARGV[1], {}
            out[1] = redis.call('LRANGE', t .. ':ready', 0, -1)
            for i, name in ipairs({'urgent', 'delayed', 'blocked', 'leased', 'dead', 'completed'}) do
              out[1 + i] = redis.call('ZRANGE', t .. ':' .. name, 0, -1, 'WITHSCORES')
            end
            local keys, heads, uniques = {}, {}, {}
            for key in string.gmatch(ARGV[2], '%S+') do
              keys[#keys + 1] = key
              keys[#keys + 1] = redis.call('LRANGE', t .. ':key:' .. key, 0, -1)
              uniques[#uniques + 1] = key
              uniques[#uniques + 1] = redis.call('GET', t .. ':unique:' .. key) or ''
            end
            for id in string.gmatch(ARGV[3], '%S+') do
              heads[#heads + 1] = id
              heads[#heads + 1] = string.match(redis.call('GET', t .. ':job:' .. id) or '', '^[^\\n]*')
            end
            local schedules = {}
            for id in string.gmatch(ARGV[4], '%S+') do
              local due = redis.call('ZSCORE', t .. ':schedules', id)
              if due then
                schedules[#schedules + 1] = {id, due,
                  unpack(redis.call('HMGET', t .. ':schedule:' .. id, 'timing', 'missed', 'anchor', 'version', 'last'))}
              end
            end
            out[8], out[9], out[10], out[11] = keys, uniques, heads, schedules
            return out""";

    private RealState() {}

    static Map<String, Object> read(QueueFixture fixture, String keys, String ids, String schedules) {
        List<?> parts = (List<?>) fixture.queues
                .redis()
                .eval(
                        SCRIPT,
                        List.of(fixture.queue.keys().ready()),
                        List.of(fixture.queue.keys().tag(), keys, ids, schedules));
        Map<String, Object> state = new LinkedHashMap<>();
        state.put(
                "jobs",
                pairs(parts.get(9)).entrySet().stream()
                        .filter(job ->
                                !job.getValue().equals("") && !job.getValue().equals("removed"))
                        .map(job -> job.getKey() + " " + job.getValue())
                        .toList());
        List<Object> ready = new ArrayList<>((List<?>) parts.get(0));
        Collections.reverse(ready);
        state.put("ready", ready);
        String[] names = {"urgent", "delayed", "blocked", "leased", "dead", "completed"};
        for (int i = 0; i < names.length; i++) {
            state.put(names[i], scores((List<?>) parts.get(1 + i)));
        }
        state.put(
                "keys",
                pairs(parts.get(7)).entrySet().stream()
                        .filter(line -> !((List<?>) line.getValue()).isEmpty())
                        .map(line -> line.getKey() + "=" + line.getValue())
                        .toList());
        Map<String, Object> uniques = pairs(parts.get(8));
        uniques.values().removeIf(""::equals);
        state.put("uniques", uniques.toString());
        state.put(
                "schedules",
                ((List<?>) parts.get(10))
                        .stream().map(each -> schedule((List<?>) each)).toList());
        return state;
    }

    private static String schedule(List<?> words) {
        return words.get(0) + " next " + words.get(1) + " " + words.get(2) + " " + words.get(3) + " anchor "
                + words.get(4) + " version " + words.get(5) + " last " + words.get(6);
    }

    private static List<String> scores(List<?> flat) {
        List<String> scores = new ArrayList<>();
        for (int i = 0; i < flat.size(); i += 2) {
            scores.add(flat.get(i) + "@" + (long) Double.parseDouble((String) flat.get(i + 1)));
        }
        return scores;
    }

    private static Map<String, Object> pairs(Object flat) {
        Map<String, Object> pairs = new TreeMap<>();
        ArrayDeque<Object> left = new ArrayDeque<>((List<?>) flat);
        while (!left.isEmpty()) {
            pairs.put((String) left.removeFirst(), left.removeFirst());
        }
        return pairs;
    }
}
