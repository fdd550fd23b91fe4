package dev.baton.redis;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The header of each script says the truth about its keys and arguments. What is made at run time is followed in the text:
 * this is no parser of Lua, and a script that is written in another way than the others fails here and needs a look.
 */
class ScriptHeaderTest {
    private static final Pattern DECLARED = Pattern.compile("\\b(\\d+) ([a-z]+)");
    private static final Pattern CALL = Pattern.compile(
            "(?:redis\\.p?call|\\btry)\\('([A-Z]+)'(?:, *((?:unpack\\()?[\\w.\\[\\]]+(?: \\.\\. ':)?))?");
    private static final Pattern LOCALS = Pattern.compile("^local ([\\w, ]+) = (.*)$", Pattern.MULTILINE);
    private static final Pattern LOOP = Pattern.compile("for i = (\\d+), (\\d+) do[^:]*KEYS\\[i\\]");

    /** Of a name in small letters: what it is set to, or what the functions are called with that have it as a parameter. */
    private static final Map<String, Pattern> SOURCES = Map.of(
            "key",
                    Pattern.compile(
                            "(?:local key = |(?<!function )add_sorted\\(|for state, key in pairs\\()([\\w.\\[\\]]+)"),
            "keys", Pattern.compile("\\bkeys\\[[^]]+\\] = ([\\w.]+)"),
            "list", Pattern.compile("\\blocal list = (\\w+)"),
            "records", Pattern.compile("\\brecords\\[2 \\* n - 1\\], records\\[2 \\* n\\] = (\\w+)"),
            "set", Pattern.compile("(?<!function )(?:head_of|pop_due)\\((?!set)(\\w+)"),
            "words", Pattern.compile("\\bwords\\[i\\] = (\\w+)"));

    private static final Keys KEYS = new Keys("p", "q");

    /** What the Java side passes. */
    private static List<String> passed(Script script) {
        return switch (script) {
            case ENQUEUE -> KEYS.enqueue();
            case ACCEPT -> KEYS.accept("owner");
            case EXCHANGE -> KEYS.exchange("s");
            case COUNTS -> KEYS.counts();
            case FIND, LIST, REMOVE, DRAIN, HURRY -> KEYS.places();
            case FIRE -> KEYS.fire();
            case CONFIGURE -> KEYS.configure();
            case THROTTLE -> List.of(KEYS.config());
            case DEAD, FORGET -> List.of(KEYS.dead());
            case UPSERT, UNSCHEDULE, PLANNED, AGENDA, DUE -> List.of(KEYS.schedules());
            case PROBE -> List.of(KEYS.session("check"));
        };
    }

    @ParameterizedTest
    @EnumSource
    void every_key_that_is_used_is_declared_and_every_declared_one_is_used(Script script) {
        List<String> names = declared(script, "KEYS");
        assertThat(numbers(script, "KEYS")).isEqualTo(upTo(names.size()));
    }

    @ParameterizedTest
    @EnumSource
    void the_keys_that_are_passed_are_the_declared_ones_in_their_order(Script script) {
        List<String> names = declared(script, "KEYS");
        List<String> kinds = passed(script).stream()
                .map(key -> key.substring(KEYS.tag().length() + 1).replaceAll(":.*", ""))
                .toList();
        assertThat(names).isEqualTo(script == Script.PROBE ? List.of("a") : kinds);
    }

    @ParameterizedTest
    @EnumSource
    void every_argument_that_is_used_by_its_number_is_declared(Script script) {
        if (script == Script.PROBE || script == Script.CONFIGURE) {
            assertThat(numbers(script, "ARGV")).as("it has none by number").isEmpty();
            return;
        }
        List<String> arguments = declared(script, "ARGV");
        assertThat(upTo(arguments.size())).containsAll(numbers(script, "ARGV"));
        assertThat(arguments.get(0)).isIn("now", "unused");
        assertThat(arguments.get(1)).isEqualTo("tag");
        assertThat(script.text().contains("tonumber(ARGV[1])"))
                .as("the time is used if it is declared")
                .isEqualTo(arguments.get(0).equals("now"));
    }

    @ParameterizedTest
    @EnumSource
    void every_command_gets_a_key_that_was_passed_or_that_is_made_from_the_tag(Script script) {
        String code = code(script);
        Set<String> constants = constants(code);
        List<MatchResult> calls = CALL.matcher(code).results().toList();
        assertThat(calls).isNotEmpty();
        for (MatchResult call : calls) {
            if (!call.group(1).equals("TIME")) {
                assertKey(code, constants, call.group(), String.valueOf(call.group(2)));
            }
        }
    }

    @Test
    void the_probe_tries_every_command_that_the_scripts_use() {
        Set<String> tried = new HashSet<>();
        Pattern.compile("try\\('(\\w+)'")
                .matcher(Script.PROBE.text())
                .results()
                .forEach(command -> tried.add(command.group(1)));
        for (Script script : Script.values()) {
            CALL.matcher(code(script))
                    .results()
                    .forEach(call -> assertThat(tried)
                            .as("%s of %s", call.group(1), script)
                            .contains(call.group(1)));
        }
    }

    private static void assertKey(String code, Set<String> constants, String call, String key) {
        String name = key.replace("unpack(", "");
        if (name.matches(
                        "KEYS\\[(\\d+|i)\\]|SORTED\\[\\w+\\]|SORTED|ARGV\\[2\\] \\.\\. ':|(job|unique|schedule)_key|key_list")
                || constants.contains(name)) {
            return;
        }
        Pattern source = requireNonNull(SOURCES.get(name), () -> "the key of " + call);
        List<MatchResult> sources = source.matcher(code).results().toList();
        assertThat(sources).as("where %s of %s comes from", name, call).isNotEmpty();
        for (MatchResult from : sources) {
            assertThat(from.group(1)).as("%s of %s", name, call).isNotEqualTo(name);
            assertKey(code, constants, call, from.group(1));
        }
    }

    /** The names behind the numbers 1, 2, .. in that part of the header. */
    private static List<String> declared(Script script, String part) {
        String header = script.text().substring(0, script.text().indexOf("\n\n"));
        assertThat(header).contains("-- KEYS ", "-- answer ");
        int from = header.indexOf("-- " + part + " ");
        assertThat(from).as("the header has %s", part).isNotNegative();
        String text = header.substring(from + part.length() + 3).split("\n-- [a-zA-Z]", 2)[0];
        List<String> names = new ArrayList<>();
        DECLARED.matcher(text).results().forEach(name -> {
            if (Integer.parseInt(name.group(1)) == names.size() + 1) {
                names.add(name.group(2));
            }
        });
        return names;
    }

    private static Set<Integer> numbers(Script script, String array) {
        String code = code(script);
        Set<Integer> numbers = Pattern.compile(array + "\\[(\\d+)\\]")
                .matcher(code)
                .results()
                .map(number -> Integer.parseInt(number.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
        if (array.equals("KEYS")) {
            LOOP.matcher(code).results().forEach(loop -> {
                for (int i = Integer.parseInt(loop.group(1)); i <= Integer.parseInt(loop.group(2)); i++) {
                    numbers.add(i);
                }
            });
        }
        return numbers;
    }

    /** The names that stand for one of KEYS. */
    private static Set<String> constants(String code) {
        Set<String> constants = new TreeSet<>();
        LOCALS.matcher(code).results().forEach(line -> {
            List<String> names = List.of(line.group(1).split(", "));
            List<String> values = List.of(line.group(2).split(", "));
            for (int i = 0; i < Math.min(names.size(), values.size()); i++) {
                if (values.get(i).matches("KEYS\\[\\d+\\]")) {
                    constants.add(names.get(i));
                }
            }
        });
        return constants;
    }

    private static Set<Integer> upTo(int last) {
        Set<Integer> numbers = new TreeSet<>();
        for (int i = 1; i <= last; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    /** Without comments. */
    private static String code(Script script) {
        return script.text().replaceAll("(?m)--.*$", "");
    }
}
