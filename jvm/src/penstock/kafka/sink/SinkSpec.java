package penstock.kafka.sink;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What a sink was told by its options; it travels to the tasks. Options:
 *
 * <ul>
 *   <li>{@code topics} (names with a comma between) or {@code pattern};
 *   <li>{@code guarantee}: {@code none}, {@code at-least-once} or {@code exactly-once};
 *   <li>{@code partitioner}: {@code fixed}, or anything else for what the producer does itself;
 *   <li>{@code bufferRows} and {@code bufferMillis}, if rows of one key are held back for the last;
 *   <li>{@code table}, and {@code traffic}, the name under which its rows are counted;
 *   <li>for exactly-once {@code prefix}, {@code markerTopic}, {@code layout}, {@code run} and, for a
 *       batch, {@code query}: see {@link Transactions};
 *   <li>{@code kafka.*}: the producer's properties.
 * </ul>
 */
record SinkSpec(
        List<String> topics,
        String pattern,
        boolean fixed,
        String table,
        String traffic,
        Transactions transactions,
        ReducingWriter.Limits buffer,
        HashMap<String, Object> client)
        implements Serializable {
    private static final String CLIENT = "kafka.";

    /** The sink of these options; {@code query} is the id of Spark's own for the query. */
    static SinkSpec of(Map<String, String> options, String query) {
        String guarantee = options.getOrDefault("guarantee", "at-least-once");
        return new SinkSpec(
                names(options.getOrDefault("topics", "")),
                options.get("pattern"),
                "fixed".equals(options.get("partitioner")),
                options.getOrDefault("table", ""),
                options.getOrDefault("traffic", ""),
                guarantee.equals("exactly-once") ? Transactions.of(options, query) : null,
                buffer(options),
                client(options));
    }

    private static ReducingWriter.Limits buffer(Map<String, String> options) {
        String rows = options.get("bufferRows");
        return rows == null ? null : new ReducingWriter.Limits(
                Integer.parseInt(rows), Long.parseLong(options.get("bufferMillis")));
    }

    /** Spark writes this into plans and logs, where the client's passwords may not be. */
    @Override
    public String toString() {
        return "Kafka table " + table;
    }

    private static List<String> names(String joined) {
        return joined.isEmpty() ? List.of() : List.of(joined.split(","));
    }

    private static HashMap<String, Object> client(Map<String, String> options) {
        HashMap<String, Object> properties = new HashMap<>();
        options.forEach((key, value) -> {
            if (key.startsWith(CLIENT)) {
                properties.put(key.substring(CLIENT.length()), value);
            }
        });
        String serializer = ByteArraySerializer.class.getName();
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, serializer);
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, serializer);
        return properties;
    }
}
