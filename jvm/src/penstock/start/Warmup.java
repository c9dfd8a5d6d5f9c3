package penstock.start;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Does beside Spark's start what every first batch waits for: the parser's tables, the registry of
 * functions, a first compilation, the definitions of Kafka's clients. It changes nothing that can be
 * seen but the time.
 */
public final class Warmup {
    private static final List<Runnable> STEPS = List.of(
            () -> CatalystSqlParser$.MODULE$.parseExpression("coalesce(a.b, 1) + 1"),
            FunctionRegistry::builtin,
            Warmup::compile,
            Warmup::clients);

    private Warmup() {}

    /** Returns at once. */
    public static void begin() {
        Thread thread = new Thread(() -> STEPS.forEach(Warmup::attempt), "penstock-warmup");
        thread.setDaemon(true);
        thread.start();
    }

    private static void attempt(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | LinkageError error) {
            // What is wrong is said where it is needed.
        }
    }

    private static void compile() {
        UnsafeProjection.create(new DataType[] {DataTypes.LongType, DataTypes.StringType});
    }

    private static void clients() {
        Map<String, Object> broker = Map.of("bootstrap.servers", "127.0.0.1:1");
        new AdminClientConfig(broker);
        new ConsumerConfig(Map.of("bootstrap.servers", "127.0.0.1:1",
                "key.deserializer", ByteArrayDeserializer.class,
                "value.deserializer", ByteArrayDeserializer.class));
        new ProducerConfig(Map.of("bootstrap.servers", "127.0.0.1:1",
                "key.serializer", ByteArraySerializer.class,
                "value.serializer", ByteArraySerializer.class));
    }
}
