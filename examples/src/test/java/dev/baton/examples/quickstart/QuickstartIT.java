package dev.baton.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QuickstartIT {
    private static final Path SOURCE = Path.of("src/main/java/dev/baton/examples/quickstart/Quickstart.java");

    @Test
    void the_payment_of_the_placed_order_is_captured() throws InterruptedException {
        List<Quickstart.Order> captured = new CopyOnWriteArrayList<>();
        Quickstart.Order order = new Quickstart.Order("order-7", 250_000);
        Quickstart.run(order, captured::add);
        assertThat(captured).containsExactly(order);
    }

    @Test
    void the_readme_shows_this_very_code_in_no_more_than_fifteen_lines() throws IOException {
        String source = Files.readString(SOURCE);
        String shown = source.substring(
                        source.indexOf("// README: begin\n") + "// README: begin\n".length(),
                        source.indexOf("\n            // README: end"))
                .stripIndent();
        assertThat(Files.readString(Path.of("../README.md"))).contains("```java\n" + shown + "\n```");
        assertThat(shown.lines().filter(line -> !line.isBlank())).hasSizeLessThanOrEqualTo(15);
    }
}
