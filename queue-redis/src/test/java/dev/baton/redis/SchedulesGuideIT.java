package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.job.MissedRuns;
import dev.baton.job.NewJob;
import dev.baton.job.Schedule;
import dev.baton.job.ScheduleView;
import dev.baton.job.Schedules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchedulesGuideIT {
    private final QueueFixture fixture = new QueueFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void the_code_of_the_guide_runs() {
        RedisJobQueue queue = fixture.queue;
        // guide: begin
        Schedules schedules = queue.schedules();
        ZoneId zone = ZoneId.of("Asia/Ho_Chi_Minh");
        schedules.upsert(Schedule.cron("nightly-report", "30 2 * * *", zone, NewJob.of("report", "{}")));
        schedules.upsert(Schedule.every("heartbeat", Duration.ofMinutes(5), NewJob.of("ping", "{}"))
                .missed(MissedRuns.SKIP));

        List<ScheduleView> next = schedules.list(0, 100);
        schedules.remove("heartbeat");
        // guide: end
        assertThat(next).extracting(ScheduleView::id).containsExactly("heartbeat", "nightly-report");
        assertThat(schedules.find("heartbeat")).isEmpty();
    }

    @Test
    void the_guide_shows_this_code() throws IOException {
        String here = Files.readString(Path.of("src/test/java/dev/baton/redis/SchedulesGuideIT.java"));
        String code = found("// guide: begin\n(.*?) *// guide: end", here).indent(-8);
        String guide = Files.readString(Path.of("../docs/schedules.md"));
        assertThat(found("```java\n(.*?)```", guide)).isEqualTo(code);
    }

    private static String found(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .findFirst()
                .orElseThrow();
    }
}
