package dev.baton.job;

import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Pattern;

/**
 * A cron expression, as a set of local times. The only class that knows cron-utils.
 *
 * <p>Why that library: the only one of its kind that is widely used on its own (db-scheduler, among others), 175 KB, Apache
 * licence, with nothing behind it but SLF4J, and with a stable module name. Quartz has no crontab syntax and is a
 * scheduler of 600 KB, Spring's class brings Spring. Its two CVEs (2020-26238, 2021-41269) lie in a bean validator that is
 * not used here, and are mended in this version. What it is not trusted with is daylight saving, where its history is long:
 * it is asked in UTC, where every day has 24 hours. It is optional to this module, because only schedules need it.
 */
final class CronExpression {
    private static final Pattern LETTERS = Pattern.compile("[0-9A-Za-z*/, -]*");
    private static final LocalDateTime SOME_DAY = LocalDateTime.of(2000, 1, 1, 0, 0);

    private final String text;
    private final ExecutionTime times;

    private CronExpression(String text, ExecutionTime times) {
        this.text = text;
        this.times = times;
    }

    /**
     * Reads the expression.
     *
     * @throws IllegalArgumentException if it is none, or never occurs
     */
    static CronExpression parse(String expression) {
        String text = expression.strip().replaceAll("\\s+", " ");
        int fields = text.split(" ").length;
        if (!LETTERS.matcher(text).matches() || (fields != 5 && fields != 6)) {
            throw bad(
                    text,
                    "it must have five fields (minute, hour, day of month, month, day of week), or six with the"
                            + " second in front, of numbers, names, and * / , -");
        }
        CronExpression parsed = new CronExpression(text, times(text, fields == 6));
        try {
            parsed.next(SOME_DAY);
        } catch (IllegalStateException e) {
            throw bad(text, "it never occurs");
        }
        return parsed;
    }

    /** The expression, with one space between two fields. */
    String text() {
        return text;
    }

    /**
     * The first local time after that one, never at it.
     *
     * @throws IllegalStateException if there is none
     */
    LocalDateTime next(LocalDateTime after) {
        return times.nextExecution(after.atZone(ZoneOffset.UTC))
                .orElseThrow(() -> new IllegalStateException("cron '" + text + "' never occurs after " + after))
                .toLocalDateTime();
    }

    private static ExecutionTime times(String text, boolean seconds) {
        try {
            Cron cron = new CronParser(definition(seconds)).parse(text).validate();
            return ExecutionTime.forCron(cron);
        } catch (IllegalArgumentException e) {
            throw bad(text, String.valueOf(e.getMessage()));
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException("cron needs com.cronutils:cron-utils, which is not there; add it", e);
        }
    }

    /** As crontab(5) has it. */
    private static CronDefinition definition(boolean seconds) {
        CronDefinitionBuilder builder = CronDefinitionBuilder.defineCron();
        if (seconds) {
            builder = builder.withSeconds().withStrictRange().and();
        }
        return builder.withMinutes()
                .withStrictRange()
                .and()
                .withHours()
                .withStrictRange()
                .and()
                .withDayOfMonth()
                .withStrictRange()
                .and()
                .withMonth()
                .withStrictRange()
                .and()
                .withDayOfWeek()
                .withValidRange(0, 7)
                .withMondayDoWValue(1)
                .withIntMapping(7, 0)
                .withStrictRange()
                .and()
                .instance();
    }

    private static IllegalArgumentException bad(String text, String why) {
        return new IllegalArgumentException("cron is '" + text + "'; " + why);
    }
}
