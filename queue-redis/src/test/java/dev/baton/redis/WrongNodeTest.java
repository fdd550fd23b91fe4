package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

class WrongNodeTest {
    @Test
    void what_servers_say_when_another_one_should_be_asked_is_known() {
        assertThat(List.of(
                        "READONLY You can't write against a read only replica.",
                        "ERR Error running script (call to f_0): @user_script:12: @user_script: 12: -READONLY You can't"
                                + " write against a read only replica. ",
                        "LOADING Redis is loading the dataset in memory",
                        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                        "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
                        "TRYAGAIN Multiple keys request during rehashing of slot",
                        "NOREPLICAS Not enough good replicas to write.",
                        "NOAUTH Authentication required."))
                .allMatch(message -> WrongNode.isMeantBy(new JedisDataException(message)));
        assertThat(WrongNode.isMeantBy(new JedisClusterException("CLUSTERDOWN The cluster is down")))
                .isTrue();
        assertThat(WrongNode.isMeantBy(new JedisConnectionException("Read timed out")))
                .isTrue();
    }

    @Test
    void other_errors_leave_the_connection_alone() {
        assertThat(List.of(
                        "ERR wrong number of arguments",
                        "OOM command not allowed when used memory > 'maxmemory'.",
                        "WRONGTYPE Operation against a key holding the wrong kind of value",
                        "ERR no such READONLYLIST"))
                .noneMatch(message -> WrongNode.isMeantBy(new JedisDataException(message)));
    }
}
