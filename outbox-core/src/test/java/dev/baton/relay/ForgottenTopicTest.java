package dev.baton.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic that nobody routed does not compile: the example of {@link Routes}, with and without it. */
class ForgottenTopicTest {
    private static final String SHOP = """
            import dev.baton.outbox.Topic;
            import dev.baton.relay.*;
            import java.util.List;

            class Shop {
                enum ShopTopic implements Topic {
                    ORDER_PLACED, PAYMENT_CAPTURED;

                    @Override public String topicName() { return name(); }
                }

                static Routes routes(Sink payments, Sink shipping) {
                    return Routes.of(ShopTopic.class, topic -> switch (topic) {
                        case ORDER_PLACED -> List.of(Route.to(payments, "capture-payment"));
                        <second>
                    });
                }
            }
            """;

    @TempDir
    private Path classes;

    @Test
    void a_table_that_has_every_topic_compiles() throws Exception {
        assertThat(errors("case PAYMENT_CAPTURED -> List.of(Route.to(shipping, \"create-shipment\"));"))
                .isEmpty();
    }

    @Test
    void a_forgotten_topic_is_a_compile_error_that_names_the_switch() throws Exception {
        assertThat(errors("")).singleElement().satisfies(error -> {
            assertThat(error.getCode()).isEqualTo("compiler.err.not.exhaustive");
            assertThat(error.getLineNumber()).isEqualTo(13);
        });
    }

    private List<Diagnostic<? extends JavaFileObject>> errors(String second) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        String path = where(Routes.class) + java.io.File.pathSeparator + where(NullMarked.class);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            List<String> options = List.of("-proc:none", "-d", classes.toString(), "-classpath", path);
            compiler.getTask(null, files, found, options, null, List.of(new Source(SHOP.replace("<second>", second))))
                    .call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Diagnostic<? extends JavaFileObject>> errors = new ArrayList<>(found.getDiagnostics());
        errors.removeIf(diagnostic -> diagnostic.getKind() != Diagnostic.Kind.ERROR);
        return errors;
    }

    private static Path where(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** A file that is only in memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        private Source(String text) {
            super(URI.create("string:///Shop.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
