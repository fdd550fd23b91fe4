package dev.baton.failure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A failure and its causes: which of them decides. */
class FailureChainTest {
    private static final RetryPolicy POLICY = new RetryPolicy(3, 5, (failed, random) -> Duration.ofSeconds(failed));

    @Test
    void an_error_class_keeps_its_meaning_inside_wrappers_and_a_chain_that_loops() {
        Exception outer = new Exception("outer");
        Exception inner = new Exception("inner", outer);
        outer.initCause(new ExecutionException(new UndeclaredThrowableException(new PermanentException("no", inner))));

        assertThat(decide(1, 1, outer)).isEqualTo(new Outcome.Bury(DeathReason.PERMANENT));
    }

    @Test
    void a_chain_that_loops_without_an_error_class_is_transient() {
        Exception outer = new Exception("outer");
        outer.initCause(new Exception("inner", outer));

        assertThat(decide(1, 1, outer)).isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void a_permanent_error_is_found_below_ten_thousand_causes() {
        Throwable failure = new PermanentException("no");
        for (int i = 0; i < 10_000; i++) {
            failure = new Exception("wrapper", failure);
        }
        assertThat(decide(1, 1, failure)).isEqualTo(new Outcome.Bury(DeathReason.PERMANENT));
    }

    @Test
    void a_chain_without_an_end_and_one_that_cannot_be_read_are_transient() {
        assertThat(decide(1, 1, new Endless())).isInstanceOf(Outcome.Retry.class);
        assertThat(decide(1, 1, new IllegalStateException() {
                    @Override
                    public synchronized Throwable getCause() {
                        throw new IllegalStateException("no cause for you");
                    }
                }))
                .isInstanceOf(Outcome.Retry.class);
    }

    @Test
    void the_outermost_error_class_decides_else_the_first_rule_that_knows_a_member_of_whatever_chain() {
        Random random = new Random(11);
        FailureRules rules = FailureRules.DEFAULT.with(
                FailureRule.onType(ArithmeticException.class, Meaning.PERMANENT),
                FailureRule.onType(ArrayStoreException.class, new Meaning.Later(Duration.ofSeconds(5))));
        for (int round = 0; round < 2_000; round++) {
            // Of some only, or nearly each chain would hold an error class.
            List<Member> kinds =
                    Member.ALL.stream().filter(kind -> random.nextInt(4) == 0).toList();
            int length = 1 + (round % 100 == 0 ? random.nextInt(5_000) : random.nextInt(12));
            List<Member> chain =
                    Stream.generate(() -> pick(kinds, random)).limit(length).toList();

            assertThat(rules.meaningOf(failure(chain, random.nextBoolean())))
                    .as("%s", chain.size() > 12 ? kinds : chain)
                    .isEqualTo(expected(chain));
        }
    }

    private static Member pick(List<Member> kinds, Random random) {
        return kinds.isEmpty() || random.nextInt(3) > 0 ? Member.WRAPPER : kinds.get(random.nextInt(kinds.size()));
    }

    /** The members by their rank, written down a second time: error classes, rules of one's own, those of Baton. */
    private static Meaning expected(List<Member> chain) {
        return chain.stream()
                .filter(member -> member.rank == 0)
                .findFirst()
                .or(() -> chain.stream().min(Comparator.comparing(member -> member.rank)))
                .map(member -> member.meaning)
                .orElseThrow();
    }

    /** @param loops whether the innermost has the outermost as its cause */
    private static Throwable failure(List<Member> chain, boolean loops) {
        Throwable failure = null;
        Throwable innermost = null;
        for (int i = chain.size() - 1; i >= 0; i--) {
            Throwable outer = chain.get(i).make.get();
            if (failure != null) {
                outer.initCause(failure);
            }
            innermost = innermost == null ? outer : innermost;
            failure = outer;
        }
        if (loops && chain.size() > 1) {
            requireNonNull(innermost).initCause(failure);
        }
        return requireNonNull(failure);
    }

    private static Outcome decide(int start, int attempt, Throwable failure) {
        return FailureRules.DEFAULT.decide(POLICY, start, attempt, failure, new Random(1));
    }

    /**
     * What a chain may hold.
     *
     * @param rank of the rule that knows it
     */
    private record Member(int rank, Meaning meaning, Supplier<Throwable> make) {
        private static final Member WRAPPER = new Member(6, Meaning.TRANSIENT, IllegalStateException::new);
        private static final List<Member> ALL = List.of(
                WRAPPER,
                new Member(0, Meaning.PERMANENT, () -> new PermanentException("no")),
                new Member(
                        0,
                        new Meaning.Later(Duration.ofSeconds(3)),
                        () -> new RetryLaterException(Duration.ofSeconds(3), "early")),
                new Member(
                        0,
                        new Meaning.Throttled(Duration.ofSeconds(4)),
                        () -> new ThrottledException(Duration.ofSeconds(4), "quota")),
                new Member(1, Meaning.PERMANENT, ArithmeticException::new),
                new Member(2, new Meaning.Later(Duration.ofSeconds(5)), ArrayStoreException::new),
                new Member(3, Meaning.PERMANENT, () -> new SQLException("too long", "22001")),
                new Member(4, Meaning.TRANSIENT, () -> new SQLException("conflict", "40001")),
                new Member(5, Meaning.TRANSIENT, IOException::new),
                new Member(6, Meaning.TRANSIENT, OutOfMemoryError::new));

        @Override
        public String toString() {
            return make.get().toString();
        }
    }

    /** Each cause is made when it is asked for. */
    private static final class Endless extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            return new Endless();
        }
    }
}
