package dev.baton.examples.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tables of {@code docs/guarantees.md}, which are tests. */
final class GuaranteesPage {
    private static final Path PAGE = Path.of("../docs/guarantees.md");

    private GuaranteesPage() {}

    /** The cells of the rows {@code | `POINT` | .. |} under that heading. */
    static List<List<String>> rows(String heading) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        boolean there = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("#")) {
                there = line.equals("## " + heading);
            } else if (there && line.startsWith("| `")) {
                rows.add(Arrays.stream(line.substring(1).replace("`", "").split("\\|"))
                        .map(String::strip)
                        .toList());
            }
        }
        return rows;
    }
}
