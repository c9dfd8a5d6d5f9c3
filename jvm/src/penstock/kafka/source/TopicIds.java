package penstock.kafka.source;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the cluster for the ids of topics: one that was deleted and made anew has another. */
final class TopicIds implements AutoCloseable {
    private static final String PREFIX = "kafka.";

    private final Map<String, Object> properties = new HashMap<>();
    private Admin admin;

    /** Takes the client's properties out of the options of Spark's source. */
    TopicIds(Map<String, String> options) {
        options.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                properties.put(key.substring(PREFIX.length()), value);
            }
        });
    }

    /** Topic → id; without those that are not there, and those of brokers that give no ids. */
    SortedMap<String, String> of(Collection<String> topics) {
        if (admin == null) {
            admin = Admin.create(properties);
        }
        SortedMap<String, String> found = new TreeMap<>();
        admin.describeTopics(topics).topicNameValues().forEach((topic, answer) -> {
            Uuid id = id(answer);
            if (!id.equals(Uuid.ZERO_UUID)) {
                found.put(topic, id.toString());
            }
        });
        return found;
    }

    /** Spark knows a query that is stopped by Java's exception for it, not by Kafka's. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> Uuid id(KafkaFuture<TopicDescription> answer) throws E {
        try {
            return answer.get().topicId();
        } catch (InterruptedException stopped) {
            throw (E) stopped;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UnknownTopicOrPartitionException) {
                return Uuid.ZERO_UUID;
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
