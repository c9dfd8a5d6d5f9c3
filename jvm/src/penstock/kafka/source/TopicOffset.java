package penstock.kafka.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.kafka010.JsonUtils;
import org.apache.spark.sql.kafka010.KafkaSourceOffset;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Kafka's offsets in Spark's JSON; partitions that are idle are listed beside the topics, under a
 * name that no topic can have, so a batch that is run again knows the same of them.
 */
final class TopicOffset extends Offset {
    private static final String IDLE = "#idle";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final KafkaSourceOffset offsets;
    private final SortedSet<String> idle;

    TopicOffset(KafkaSourceOffset offsets, Collection<String> idle) {
        this.offsets = offsets;
        this.idle = new TreeSet<>(idle);
    }

    static TopicOffset parse(String json) {
        try {
            ObjectNode read = (ObjectNode) JSON.readTree(json);
            SortedSet<String> idle = new TreeSet<>();
            if (read.remove(IDLE) instanceof ArrayNode names) {
                names.forEach(name -> idle.add(name.asText()));
            }
            return new TopicOffset(
                    new KafkaSourceOffset(JsonUtils.partitionOffsets(read.toString())), idle);
        } catch (JsonProcessingException error) {
            throw new IllegalArgumentException("Not offsets of Kafka: " + json, error);
        }
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

    Map<TopicPartition, Object> byPartition() {
        return CollectionConverters.asJava(offsets.partitionToOffsets());
    }

    @Override
    public String json() {
        if (idle.isEmpty()) {
            return offsets.json();
        }
        try {
            ObjectNode written = (ObjectNode) JSON.readTree(offsets.json());
            idle.forEach(written.putArray(IDLE)::add);
            return written.toString();
        } catch (JsonProcessingException error) {
            throw new IllegalStateException(error);
        }
    }
}
