package penstock.kafka.deadletters;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Where the messages of a table go that cannot be read; it travels to the tasks. Options: {@code
 * penstock.letters.topic}, {@code penstock.letters.job}, {@code penstock.letters.query}, {@code
 * penstock.table} and {@code kafka.*}, the properties of the table's client.
 */
public record LetterSpec(
        String topic,
        String table,
        String job,
        String query,
        HashMap<String, Object> producer,
        HashMap<String, Object> consumer,
        HashMap<String, Object> admin)
        implements Serializable {
    private static final String CLIENT = "kafka.";
    // What is written is never lost or written twice, whatever the table's client is told.
    private static final Map<String, Object> SAFE = Map.of(
            ProducerConfig.ACKS_CONFIG, "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    private static final Set<String> UNSAFE = Set.of(
            ProducerConfig.RETRIES_CONFIG,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    // A topic that is not there is noticed in a quarter of a minute, not in a whole one.
    private static final String MAX_BLOCK_MS = "15000";
    // A letter is longer than its message: how long it may be is for the topic to say.
    private static final String MAX_REQUEST_BYTES = String.valueOf(64 << 20);

    /** The spec of these options, null if they name no topic. */
    public static LetterSpec of(Map<String, String> options) {
        String topic = options.get("penstock.letters.topic");
        if (topic == null) {
            return null;
        }
        return new LetterSpec(
                topic,
                options.get("penstock.table"),
                options.get("penstock.letters.job"),
                options.get("penstock.letters.query"),
                producer(options),
                consumer(options),
                known(options, AdminClientConfig.configNames()));
    }

    /** Spark writes this into plans and logs, where the client's passwords may not be. */
    @Override
    public String toString() {
        return "dead letters of table " + table;
    }

    private static HashMap<String, Object> producer(Map<String, String> options) {
        HashMap<String, Object> properties = new HashMap<>();
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
        properties.putAll(known(options, ProducerConfig.configNames()));
        properties.keySet().removeAll(UNSAFE);
        properties.putAll(SAFE);
        String serializer = ByteArraySerializer.class.getName();
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, serializer);
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, serializer);
        return properties;
    }

    private static HashMap<String, Object> consumer(Map<String, String> options) {
        HashMap<String, Object> properties = known(options, ConsumerConfig.configNames());
        properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
        // Retention may overtake the reading: what is left is read.
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        String deserializer = ByteArrayDeserializer.class.getName();
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, deserializer);
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, deserializer);
        return properties;
    }

    private static HashMap<String, Object> known(Map<String, String> options, Set<String> names) {
        HashMap<String, Object> found = new HashMap<>();
        options.forEach((key, value) -> {
            if (key.startsWith(CLIENT) && names.contains(key.substring(CLIENT.length()))) {
                found.put(key.substring(CLIENT.length()), value);
            }
        });
        return found;
    }
}
