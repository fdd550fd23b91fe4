package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.baton.servers.RedisProcess;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Jedis;

@Timeout(60)
class ServerCheckIT {
    /** What the documentation says that a user needs. */
    static final String[] RIGHTS = {
        "on", ">s3cret", "~{p:*", "+@read", "+@write", "+@connection", "+eval", "+evalsha", "+time", "+info"
    };

    private final RedisProcess server = RedisProcess.start();
    private final Jedis admin = SentinelGroup.jedis(server);
    private final RedisQueues queues = RedisQueues.connect(server.uri(), "p");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(StartCheck.class);

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void close() {
        logger.detachAppender(logged);
        queues.close();
        admin.close();
        server.close();
    }

    @Test
    void a_server_as_it_should_be_has_no_problem_and_keeps_no_trace_of_the_check() {
        assertThat(queues.check()).isEmpty();
        assertThat(admin.keys("*")).isEmpty();
    }

    @Test
    void a_server_that_evicts_keys_refuses_the_start_and_is_told_what_to_set() {
        admin.configSet("maxmemory-policy", "allkeys-lru");
        assertThat(queues.check()).singleElement().asString().contains("allkeys-lru", "noeviction");
        assertThatThrownBy(() -> worker(queues))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("allkeys-lru")
                .hasMessageContaining("set it to noeviction")
                .hasMessageContaining("worker of q")
                .hasMessageContaining(Integer.toString(server.port()));
    }

    @Test
    void a_server_that_is_out_of_reach_at_the_start_is_checked_when_it_is_back() {
        server.stop();
        assertThat(queues.check()).singleElement().asString().contains("cannot be asked");
        try (RedisWorker worker = worker(queues)) {
            server.restart();
            try (Jedis back = SentinelGroup.jedis(server)) {
                back.configSet("maxmemory-policy", "volatile-ttl");
            }
            await().until(() -> !errors().isEmpty());
            assertThat(errors()).singleElement().asString().contains("volatile-ttl");
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void a_replica_is_a_problem_but_may_be_promoted_so_the_worker_starts() {
        try (RedisProcess replica = RedisProcess.start("--replicaof", "127.0.0.1", Integer.toString(server.port()));
                RedisQueues there = RedisQueues.connect(replica.uri(), "p");
                RedisWorker worker = worker(there)) {
            assertThat(there.check()).singleElement().asString().contains("replica");
            assertThat(errors()).singleElement().asString().contains("replica");
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void a_user_with_the_documented_rights_can_do_everything() {
        try (RedisQueues his = as(RIGHTS);
                RedisWorker worker = worker(his)) {
            assertThat(his.check()).isEmpty();
            his.queue("q").enqueue(dev.baton.job.NewJob.of("work", "{}"));
            await().until(() -> his.queue("q").counts().totals().completed() == 1);
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void a_user_who_may_not_run_scripts_is_told_so() {
        try (RedisQueues his = as(with("-eval"))) {
            assertThat(his.check()).singleElement().asString().contains("EVAL", "allow it");
        }
        try (RedisQueues his = as(with("-evalsha"))) {
            assertThat(his.check()).singleElement().asString().contains("EVALSHA");
        }
    }

    @Test
    void each_command_that_a_user_may_not_run_is_named() {
        try (RedisQueues his = as(with("-zadd", "-blpop", "-unlink"))) {
            assertThat(his.check())
                    .hasSize(3)
                    .anyMatch(problem -> problem.contains("command ZADD"))
                    .anyMatch(problem -> problem.contains("command UNLINK"))
                    .anyMatch(problem -> problem.contains("command BLPOP"));
        }
    }

    @Test
    void a_user_who_may_not_touch_the_keys_is_told_so() {
        try (RedisQueues his = as("on", ">s3cret", "~{other:*", "+@all")) {
            assertThat(his.check()).isNotEmpty().allMatch(problem -> problem.contains("the keys"));
        }
    }

    @Test
    void a_server_that_does_not_show_its_settings_is_only_a_warning() {
        admin.configSet("maxmemory-policy", "allkeys-lru");
        try (RedisQueues his = as(with("-info"));
                RedisWorker worker = worker(his)) {
            assertThat(errors()).singleElement().asString().contains("INFO", "noeviction");
            assertThat(worker).isNotNull();
        }
    }

    @Test
    void every_node_of_a_cluster_is_checked() {
        try (ClusterGroup cluster = new ClusterGroup();
                RedisQueues there = RedisQueues.connect(cluster.address(), "p")) {
            assertThat(there.check()).isEmpty();
            for (RedisProcess node : cluster.nodes) {
                try (Jedis jedis = SentinelGroup.jedis(node)) {
                    jedis.configSet("maxmemory-policy", "allkeys-random");
                }
            }
            assertThat(there.check()).hasSize(3);
        }
    }

    private static RedisWorker worker(RedisQueues queues) {
        return RedisWorker.builder(queues.queue("q")).handle("work", job -> {}).start();
    }

    private RedisQueues as(String... rights) {
        admin.aclSetUser("shop", "reset");
        admin.aclSetUser("shop", rights);
        return RedisQueues.connect(RedisServers.single(server.uri()).withCredentials("shop", "s3cret"), "p");
    }

    private static String[] with(String... more) {
        String[] all = java.util.Arrays.copyOf(RIGHTS, RIGHTS.length + more.length);
        System.arraycopy(more, 0, all, RIGHTS.length, more.length);
        return all;
    }

    private List<String> errors() {
        return logged.list.stream()
                .filter(event -> event.getLevel().levelStr.equals("ERROR"))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
