package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

class KeysTest {
    @Test
    void all_keys_of_a_queue_lie_in_one_slot_whatever_its_name() {
        for (String name : List.of("payments", "a{b}c", "}", "{", ":", "a}:ready", "%7D", "Zahlungen für Köln")) {
            Keys keys = new Keys("shop", name);
            Set<Integer> slots = new TreeSet<>();
            List<String> all = new ArrayList<>(keys.exchange("session"));
            all.addAll(List.of(keys.job("any } { : id"), keys.orderingKey("} {"), keys.unique("}{")));
            all.forEach(key -> slots.add(JedisClusterCRC16.getSlot(key)));
            assertThat(slots).as(name).hasSize(1);
        }
    }

    @Test
    void two_names_never_share_a_key() {
        assertThat(new Keys("a:b", "c").ready()).isNotEqualTo(new Keys("a", "b:c").ready());
        assertThat(new Keys("a", "b}").ready()).isNotEqualTo(new Keys("a", "b%7D").ready());
    }
}
