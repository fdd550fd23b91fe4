package dev.baton.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.baton.failure.HttpFailures;
import dev.baton.internal.Ids;
import dev.baton.webhook.WebhookSink;
import java.time.Clock;
import java.util.Calendar;
import java.util.Date;
import org.junit.jupiter.api.Test;

/** Which part may know which; here, because only the examples see all parts. */
class LayersTest {
    private static final String[] CORE = {
        "dev.baton.outbox..",
        "dev.baton.relay..",
        "dev.baton.job..",
        "dev.baton.failure..",
        "dev.baton.deadletter..",
        "dev.baton.trace..",
        "dev.baton.internal.."
    };
    private static final String[] NOT_LIBRARY = {
        "dev.baton.examples..", "dev.baton.servers..", "dev.baton.benchmarks..", "dev.baton.architecture.."
    };

    private static final String[] EXAMPLES = {
        "dev.baton.examples.shop..", "dev.baton.examples.tickets..", "dev.baton.examples.invoices.."
    };
    private static final String[] SHARED = {
        "dev.baton.examples.demo..",
        "dev.baton.examples.sandbox..",
        "dev.baton.examples.service..",
        "dev.baton.examples.web.."
    };

    private final JavaClasses all = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.baton");
    private final JavaClasses library = all.that(resideInAnyPackage(NOT_LIBRARY).negate());

    @Test
    void all_parts_are_looked_at() {
        for (String part :
                new String[] {"dev.baton.outbox", "dev.baton.jdbi", "dev.baton.redis", "dev.baton.idempotency"}) {
            assertThat(library.that(resideInAPackage(part))).as(part).isNotEmpty();
        }
    }

    @Test
    void the_core_knows_no_driver() {
        classes()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(
                        CORE,
                        "java.lang..",
                        "java.io..",
                        "java.util..",
                        "java.time..",
                        "java.security..",
                        // Interfaces of the JDK, for HttpResponse and for SQLSTATE.
                        "java.net.http..",
                        "java.nio.charset..",
                        "java.sql..",
                        "org.slf4j..",
                        "io.opentelemetry..",
                        "tools.jackson..",
                        "com.cronutils..",
                        "org.jspecify.."))
                .check(library);
    }

    @Test
    void one_class_knows_the_cron_library() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.baton.job.CronExpression")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.cronutils..")
                .check(all);
    }

    @Test
    void the_webhook_knows_the_core_and_what_java_has_for_http() {
        classes()
                .that()
                .resideInAPackage("dev.baton.webhook..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(CORE, "dev.baton.webhook..", "java..", "javax.crypto..", "org.jspecify.."))
                .check(library);
    }

    @Test
    void driver_parts_never_know_each_other() {
        noClasses()
                .that()
                .resideInAPackage("dev.baton.jdbi..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.baton.redis..", "dev.baton.idempotency..", "redis.clients..")
                .check(library);
        noClasses()
                .that()
                .resideInAPackage("dev.baton.redis..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.baton.jdbi..", "dev.baton.idempotency..", "org.jdbi..", "java.sql..")
                .check(library);
    }

    @Test
    void the_guard_stands_alone() {
        classes()
                .that()
                .resideInAPackage("dev.baton.idempotency..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.baton.idempotency..", "java..", "org.jdbi..", "org.jspecify..")
                .check(library);
    }

    @Test
    void the_library_knows_neither_its_examples_nor_its_servers() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(NOT_LIBRARY)
                .check(library);
    }

    @Test
    void the_examples_use_nothing_internal() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.baton.examples..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.baton.internal..")
                .check(all);
    }

    @Test
    void the_examples_talk_to_redis_through_the_library_only() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.baton.examples..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("redis.clients..")
                .check(all);
    }

    @Test
    void an_example_knows_no_other_one() {
        for (String example : EXAMPLES) {
            noClasses()
                    .that()
                    .resideInAPackage(example)
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(EXAMPLES)
                            .and(resideInAPackage(example).negate()))
                    .check(all);
        }
        noClasses()
                .that()
                .resideInAnyPackage(SHARED)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(EXAMPLES)
                .check(all);
    }

    @Test
    void packages_form_no_cycles() {
        slices().matching("dev.baton.(*)..").should().beFreeOfCycles().check(library);
        slices().matching("dev.baton.examples.(*)..").should().beFreeOfCycles().check(all);
        slices().matching("dev.baton.examples.shop.(*)..")
                .should()
                .beFreeOfCycles()
                .check(all);
    }

    @Test
    void no_decision_is_made_by_the_clock_of_the_host() {
        // Ids put the wall time into new ids, and nothing relies on it. HttpFailures measures an answer's date by it,
        // if the
        // answer does not tell the time of its own clock. A webhook's signature names the time of sending, which its
        // receiver compares with its own clock. Elapsed time is measured by System.nanoTime.
        noClasses()
                .that()
                .doNotBelongToAnyOf(Ids.class, HttpFailures.class, WebhookSink.class)
                .should()
                .accessTargetWhere(describe("reads the host's clock", LayersTest::readsTheClock))
                .orShould()
                .callConstructor(Date.class)
                .check(library);
    }

    /** Calls and method references alike, with or without a zone. */
    private static boolean readsTheClock(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getName();
        return (owner.startsWith("java.time.") && name.equals("now"))
                || (owner.equals(Clock.class.getName()) && (name.startsWith("system") || name.startsWith("tick")))
                || (owner.equals(Calendar.class.getName()) && name.equals("getInstance"))
                || (owner.equals(System.class.getName()) && name.equals("currentTimeMillis"));
    }

    @Test
    void nothing_is_printed_and_nobody_exits() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .check(library);
    }

    private static String[] with(String[] some, String... more) {
        String[] both = java.util.Arrays.copyOf(some, some.length + more.length);
        System.arraycopy(more, 0, both, some.length, more.length);
        return both;
    }
}
