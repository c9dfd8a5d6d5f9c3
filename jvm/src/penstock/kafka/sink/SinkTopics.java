package penstock.kafka.sink;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/** Questions about a sink that Python asks before it starts one. */
public final class SinkTopics {
    private SinkTopics() {}

    /** The topics that a pattern matches, sorted. */
    public static List<String> matching(Map<String, String> properties, String pattern)
            throws ExecutionException, InterruptedException {
        Pattern wanted = Pattern.compile(pattern);
        try (Admin admin = Admin.create(adminProperties(properties))) {
            return admin.listTopics().names().get().stream()
                    .filter(name -> wanted.matcher(name).matches()).sorted().toList();
        }
    }

    /** How many partitions each topic has; one that is missing is made if the broker allows it. */
    public static Map<String, Integer> partitions(
            Map<String, String> properties, List<String> topics) {
        Map<String, Integer> found = new TreeMap<>();
        topics.forEach(topic -> found.put(topic, await(properties, topic)));
        return found;
    }

    /** Why a class cannot be the producer's partitioner: {@code missing} or {@code type}. */
    public static String partitionerProblem(String name) {
        try {
            Class<?> found = Class.forName(name, true, Utils.getContextOrKafkaClassLoader());
            if (!Partitioner.class.isAssignableFrom(found)) {
                return "type";
            }
            found.getDeclaredConstructor().newInstance();
            return "";
        } catch (ReflectiveOperationException | LinkageError error) {
            return "missing";
        }
    }

    /** Wait until a topic is known, as a producer does; its partitions. */
    static int await(Map<String, ?> properties, String topic) {
        Map<String, Object> plain = new HashMap<>(properties);
        plain.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(plain, bytes, bytes)) {
            return producer.partitionsFor(topic).size();
        }
    }

    static Map<String, Object> adminProperties(Map<String, ?> properties) {
        Map<String, Object> plain = new HashMap<>(properties);
        plain.keySet().removeIf(key -> key.endsWith(".serializer") || key.startsWith("transaction"));
        return plain;
    }
}
