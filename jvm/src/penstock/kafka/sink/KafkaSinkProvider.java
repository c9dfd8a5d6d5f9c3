package penstock.kafka.sink;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.internal.connector.SupportsStreamingUpdateAsAppend;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * {@code writeStream.format("penstock.kafka.sink.KafkaSinkProvider")}, and the same for a batch:
 * rows of {@code value BINARY} and, if they are there, {@code key BINARY}, {@code headers
 * ARRAY<STRUCT<key STRING, value BINARY>>}, {@code timestamp TIMESTAMP}, {@code topic STRING} and
 * {@code partition INT} become messages. {@link SinkSpec} has the options.
 */
public final class KafkaSinkProvider implements TableProvider {
    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return new StructType();
    }

    @Override
    public Table getTable(
            StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new KafkaSinkTable(properties.getOrDefault("table", "kafka"));
    }

    private record KafkaSinkTable(String name) implements SupportsWrite {
        @Override
        @SuppressWarnings("deprecation")
        public StructType schema() {
            return new StructType();
        }

        @Override
        public Set<TableCapability> capabilities() {
            return Set.of(TableCapability.STREAMING_WRITE, TableCapability.BATCH_WRITE,
                    TableCapability.ACCEPT_ANY_SCHEMA);
        }

        @Override
        public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
            return new Builder(info);
        }
    }

    // An update of a row is one more message.
    private record Builder(LogicalWriteInfo info) implements SupportsStreamingUpdateAsAppend {
        @Override
        public Write build() {
            Map<String, String> options = info.options().asCaseSensitiveMap();
            return new KafkaWrite(SinkSpec.of(options, info.queryId()), info.schema());
        }
    }
}
