package dev.baton.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeedsTest {
    /** {@code Name}, {@code Name.member} or {@code script.lua}; not what the seeds themselves call something. */
    private static final Pattern PLACE = Pattern.compile("`(?:([A-Z]\\w+)(?:\\.(\\w+))?|(\\w+\\.lua))`");

    private static final List<String> OF_THE_SEEDS =
            List.of("InvoiceProviderConfig", "INVOICE_ISSUANCE_WORKER_CONCURRENCY");

    @Test
    void each_place_that_the_table_names_exists() throws IOException {
        Map<String, String> sources = sources();
        List<MatchResult> places = PLACE.matcher(Files.readString(Path.of("../docs/seeds.md")))
                .results()
                .filter(place -> place.group(1) == null || !OF_THE_SEEDS.contains(place.group(1)))
                .toList();

        assertThat(places).hasSizeGreaterThan(50);
        for (MatchResult place : places) {
            String file = place.group(3) == null ? place.group(1) + ".java" : place.group(3);
            assertThat(sources).as("sources").containsKey(file);
            if (place.group(2) != null) {
                assertThat(sources.get(file)).as(place.group()).containsPattern("\\b" + place.group(2) + "\\b");
            }
        }
    }

    /** The sources by the names of their files; those of one name together. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> all = Files.walk(Path.of(".."))) {
            for (Path file : all.filter(path -> path.toString().matches(".*/src/.*\\.(java|lua)"))
                    .toList()) {
                sources.merge(file.getFileName().toString(), Files.readString(file), String::concat);
            }
        }
        return sources;
    }
}
