package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProbeTest {
    @Test
    void every_command_of_the_scripts_is_tried_by_the_probe_and_no_other() {
        Set<String> used = Stream.of(Script.values())
                .filter(script -> script != Script.PROBE)
                .flatMap(script -> names("redis\\.p?call\\('(\\w+)'", script))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> tried = names("try\\('(\\w+)'", Script.PROBE).collect(Collectors.toCollection(TreeSet::new));

        assertThat(tried)
                .as("a command that a script uses needs a line in probe.lua, and the documented ACL must allow it")
                .isEqualTo(used);
    }

    private static Stream<String> names(String pattern, Script script) {
        return Pattern.compile(pattern).matcher(script.text()).results().map(found -> found.group(1));
    }
}
