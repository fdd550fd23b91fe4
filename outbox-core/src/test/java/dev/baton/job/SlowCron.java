package dev.baton.job;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Cron the slow way: somebody looks at the wall clock every minute. A local time occurs when the clock shows it, or
 * something later, for the first time.
 */
record SlowCron(
        Set<Integer> minutes, Set<Integer> hours, Set<Integer> days, Set<Integer> months, Set<Integer> weekdays) {

    static SlowCron random(Random random) {
        return new SlowCron(
                some(random, 0, 59, 3),
                random.nextInt(3) == 0 ? Set.of() : some(random, 0, 3, 2),
                random.nextInt(3) == 0 ? some(random, 1, 28, 5) : Set.of(),
                random.nextInt(3) == 0 ? some(random, 1, 12, 9) : Set.of(),
                random.nextInt(3) == 0 ? some(random, 0, 6, 3) : Set.of());
    }

    String text() {
        return List.of(minutes, hours, days, months, weekdays).stream()
                .map(SlowCron::field)
                .collect(Collectors.joining(" "));
    }

    List<Instant> occurrences(Instant from, Duration length, ZoneId zone) {
        List<Instant> all = new ArrayList<>();
        LocalDateTime seen = LocalDateTime.ofInstant(from, zone);
        for (Instant now = from; now.isBefore(from.plus(length)); now = now.plusSeconds(60)) {
            LocalDateTime wall = LocalDateTime.ofInstant(now, zone);
            boolean occurs = false;
            while (seen.isBefore(wall)) {
                seen = seen.plusMinutes(1);
                occurs |= matches(seen);
            }
            if (occurs) {
                all.add(now);
            }
        }
        return all;
    }

    private boolean matches(LocalDateTime time) {
        boolean day = days.contains(time.getDayOfMonth());
        boolean weekday = weekdays.contains(time.getDayOfWeek().getValue() % 7);
        boolean date = (days.isEmpty() && weekdays.isEmpty()) || day || weekday;
        return date && in(minutes, time.getMinute()) && in(hours, time.getHour()) && in(months, time.getMonthValue());
    }

    private static boolean in(Set<Integer> values, int value) {
        return values.isEmpty() || values.contains(value);
    }

    private static Set<Integer> some(Random random, int least, int most, int count) {
        return IntStream.range(0, 1 + random.nextInt(count))
                .mapToObj(i -> least + random.nextInt(most - least + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String field(Set<Integer> values) {
        return values.isEmpty() ? "*" : values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
