package dev.baton.job;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;

/**
 * When the wall clock of a zone shows what a cron expression says.
 *
 * <p>The expression knows local times only, and this class alone knows how they lie in time. The later of two local times
 * never lies earlier: all those that a shift skips lie at the shift, those that it repeats lie in the first pass.
 */
final class CronTiming implements Timing {
    static final String NAME = "cron";

    private final CronExpression expression;
    private final ZoneId zone;

    CronTiming(String expression, ZoneId zone) {
        this.expression = CronExpression.parse(expression);
        this.zone = zone;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Local times are tried in order until one lies later: in the second pass of a repeated hour those that are over
     * come first, at most as many as the hour holds.
     */
    @Override
    public Instant next(Instant after, Instant anchor) {
        LocalDateTime local = LocalDateTime.ofInstant(after, zone);
        Instant next;
        do {
            local = expression.next(local);
            next = instant(local);
        } while (!next.isAfter(after));
        return next;
    }

    private Instant instant(LocalDateTime local) {
        ZoneOffsetTransition shift = zone.getRules().getTransition(local);
        // Of a time that occurs twice, atZone takes the first.
        return shift != null && shift.isGap()
                ? shift.getInstant()
                : local.atZone(zone).toInstant();
    }

    @Override
    public String toText() {
        return NAME + " " + zone.getId() + " " + expression.text();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CronTiming timing && timing.toText().equals(toText());
    }

    @Override
    public int hashCode() {
        return toText().hashCode();
    }

    @Override
    public String toString() {
        return "CronTiming[" + expression.text() + " in " + zone + "]";
    }
}
