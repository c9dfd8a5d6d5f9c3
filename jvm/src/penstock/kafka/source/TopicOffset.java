package penstock.kafka.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.kafka010.JsonUtils;
import org.apache.spark.sql.kafka010.KafkaSourceOffset;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Kafka's offsets in Spark's JSON; beside the topics, under names that no topic can have, stand the
 * partitions that are idle, so a batch that is run again knows the same of them, and the ids of the
 * topics, because an offset means nothing in a topic that was made anew, and the ends of the topic
 * of dead letters when the batch was planned: letters of it come behind them. A mark that comes and
 * goes makes an offset another one where no message does.
 */
final class TopicOffset extends Offset {
    private static final String IDLE = "#idle";
    private static final String IDS = "#ids";
    private static final String LETTERS = "#letters";
    private static final String MARK = "#mark";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KafkaSourceOffset offsets;
    private final SortedSet<String> idle;
    private final SortedMap<String, String> ids;
    private final SortedMap<Integer, Long> letters;
    private final boolean marked;

    TopicOffset(KafkaSourceOffset offsets, Collection<String> idle, Map<String, String> ids,
            Map<Integer, Long> letters, boolean marked) {
        this.offsets = offsets;
        this.idle = new TreeSet<>(idle);
        this.ids = new TreeMap<>(ids);
        this.ids.keySet().retainAll(topics());
        this.letters = new TreeMap<>(letters);
        this.marked = marked;
    }

    static TopicOffset parse(String json) {
        try {
            ObjectNode read = (ObjectNode) JSON.readTree(json);
            SortedSet<String> idle = texts(read.remove(IDLE));
            Map<String, String> ids = new TreeMap<>();
            for (String named : texts(read.remove(IDS))) {
                int end = named.indexOf('/');
                ids.put(named.substring(0, end), named.substring(end + 1));
            }
            boolean marked = read.remove(MARK) != null;
            Map<Integer, Long> letters = new TreeMap<>();
            for (String place : texts(read.remove(LETTERS))) {
                int end = place.indexOf('/');
                letters.put(Integer.valueOf(place.substring(0, end)),
                        Long.valueOf(place.substring(end + 1)));
            }
            return new TopicOffset(
                    new KafkaSourceOffset(JsonUtils.partitionOffsets(read.toString())),
                    idle, ids, letters, marked);
        } catch (JsonProcessingException error) {
            throw new IllegalArgumentException("Not offsets of Kafka: " + json, error);
        }
    }

    private static SortedSet<String> texts(JsonNode list) {
        SortedSet<String> found = new TreeSet<>();
        if (list != null) {
            list.forEach(text -> found.add(text.asText()));
        }
        return found;
    }

    static String name(TopicPartition partition) {
        return partition.topic() + "/" + partition.partition();
    }

    KafkaSourceOffset offsets() {
        return offsets;
    }

    SortedSet<String> idle() {
        return idle;
    }

    /** Topic → id, of those whose id is known. */
    SortedMap<String, String> ids() {
        return ids;
    }

    /** Partition → offset, of the topic of dead letters; empty if nothing is known of it. */
    SortedMap<Integer, Long> letters() {
        return letters;
    }

    boolean isMarked() {
        return marked;
    }

    TopicOffset withIdle(Collection<String> partitions) {
        return new TopicOffset(offsets, partitions, ids, letters, marked);
    }

    TopicOffset withLetters(Map<Integer, Long> ends) {
        return new TopicOffset(offsets, idle, ids, ends, marked);
    }

    TopicOffset withMark(boolean mark) {
        return new TopicOffset(offsets, idle, ids, letters, mark);
    }

    Set<String> topics() {
        Set<String> found = new TreeSet<>();
        byPartition().keySet().forEach(partition -> found.add(partition.topic()));
        return found;
    }

    TopicOffset without(Set<String> topics) {
        if (topics.isEmpty()) {
            return this;
        }
        Map<TopicPartition, Object> kept = new HashMap<>();
        Set<String> silent = new TreeSet<>();
        byPartition().forEach((partition, offset) -> {
            if (!topics.contains(partition.topic())) {
                kept.put(partition, offset);
                silent.add(name(partition));
            }
        });
        silent.retainAll(idle);
        return new TopicOffset(
                new KafkaSourceOffset(Map$.MODULE$.from(CollectionConverters.asScala(kept))),
                silent, ids, letters, marked);
    }

    Map<TopicPartition, Object> byPartition() {
        return CollectionConverters.asJava(offsets.partitionToOffsets());
    }

    @Override
    public String json() {
        try {
            ObjectNode written = (ObjectNode) JSON.readTree(offsets.json());
            if (!idle.isEmpty()) {
                idle.forEach(written.putArray(IDLE)::add);
            }
            if (!ids.isEmpty()) {
                ArrayNode named = written.putArray(IDS);
                ids.forEach((topic, id) -> named.add(topic + "/" + id));
            }
            if (!letters.isEmpty()) {
                ArrayNode places = written.putArray(LETTERS);
                letters.forEach((partition, end) -> places.add(partition + "/" + end));
            }
            if (marked) {
                written.putArray(MARK);
            }
            return written.toString();
        } catch (JsonProcessingException error) {
            throw new IllegalStateException(error);
        }
    }
}
