package penstock.kafka.source;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What a stream asks its cluster on the driver, beside what Spark asks for it. */
final class Cluster implements AutoCloseable {
    private static final String PREFIX = "kafka.";

    private final Map<String, Object> properties = new HashMap<>();
    private Admin admin;

    /** Takes the client's properties out of the options of Spark's source. */
    Cluster(Map<String, String> options) {
        options.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                properties.put(key.substring(PREFIX.length()), value);
            }
        });
    }

    /**
     * Topic → id; one that was deleted and made anew has another. Without those that are not
     * there, and those of brokers that give no ids.
     */
    SortedMap<String, String> ids(Collection<String> topics) {
        SortedMap<String, String> found = new TreeMap<>();
        admin().describeTopics(topics).topicNameValues().forEach((topic, answer) -> {
            TopicDescription known = known(answer);
            if (known != null && !known.topicId().equals(Uuid.ZERO_UUID)) {
                found.put(topic, known.topicId().toString());
            }
        });
        return found;
    }

    /** Partition → offset of what comes next; none of a topic that is not there. */
    SortedMap<Integer, Long> ends(String topic) {
        SortedMap<Integer, Long> found = new TreeMap<>();
        TopicDescription known =
                known(admin().describeTopics(List.of(topic)).topicNameValues().get(topic));
        if (known != null) {
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            known.partitions().forEach(partition -> asked.put(
                    new TopicPartition(topic, partition.partition()), OffsetSpec.latest()));
            answer(admin().listOffsets(asked).all()).forEach(
                    (place, end) -> found.put(place.partition(), end.offset()));
        }
        return found;
    }

    private Admin admin() {
        if (admin == null) {
            admin = Admin.create(properties);
        }
        return admin;
    }

    /** What is known of a topic, null if it is not there. */
    private static TopicDescription known(KafkaFuture<TopicDescription> answer) {
        try {
            return answer(answer);
        } catch (UnknownTopicOrPartitionException missing) {
            return null;
        }
    }

    /** Spark knows a query that is stopped by Java's exception for it, not by Kafka's. */
    @SuppressWarnings("unchecked")
    private static <T, E extends Throwable> T answer(KafkaFuture<T> asked) throws E {
        try {
            return asked.get();
        } catch (InterruptedException stopped) {
            throw (E) stopped;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UnknownTopicOrPartitionException missing) {
                throw missing;
            }
            throw new KafkaException(failed.getCause());
        }
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }
}
