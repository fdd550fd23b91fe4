package dev.baton.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources of the examples must look like, because people learn from them. */
class ExamplesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/baton/examples");
    private static final int LONGEST = 150;
    private static final Pattern LIBRARY_TABLE = Pattern.compile("outbox_\\w+|dead_letters?\\b|processed_messages");

    @Test
    void no_file_of_tickets_and_invoices_or_of_what_they_share_is_longer_than_150_lines() throws IOException {
        for (String part : List.of("tickets", "invoices", "demo", "sandbox", "service", "web")) {
            for (Path file : files(SOURCES.resolve(part))) {
                assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(LONGEST);
            }
        }
    }

    @Test
    void the_librarys_tables_are_its_own_business() throws IOException {
        // The shop's auditor counts events by order, which no part of the library does.
        Path auditor = SOURCES.resolve("shop/demo/Auditor.java");
        for (Path file : files(SOURCES)) {
            if (!file.equals(auditor)) {
                assertThat(Files.readString(file)).as(file.toString()).doesNotContainPattern(LIBRARY_TABLE);
            }
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> files =
                    all.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(files).isNotEmpty();
            return files;
        }
    }
}
