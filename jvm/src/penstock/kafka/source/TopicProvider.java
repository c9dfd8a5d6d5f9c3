package penstock.kafka.source;

import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.kafka010.KafkaMicroBatchStream;
import org.apache.spark.sql.kafka010.KafkaSourceProvider;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * {@code format("penstock.kafka.source.TopicProvider")}: Spark's Kafka source, whose options,
 * offsets and limits it takes over, with a reader of our own. See {@link ReadOptions}.
 */
public final class TopicProvider implements TableProvider {
    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return RecordRows.schema(ReadOptions.of(options));
    }

    @Override
    public Table getTable(
            StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new TopicTable(schema);
    }

    private record TopicTable(StructType rowSchema) implements SupportsRead {
        @Override
        public String name() {
            return "kafka";
        }

        @Override
        @SuppressWarnings("deprecation")
        public StructType schema() {
            return rowSchema;
        }

        @Override
        public Set<TableCapability> capabilities() {
            return Set.of(TableCapability.BATCH_READ, TableCapability.MICRO_BATCH_READ);
        }

        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
            Scan sparks = ((SupportsRead) new KafkaSourceProvider().getTable(options))
                    .newScanBuilder(options).build();
            return () -> new TopicScan(sparks, ReadOptions.of(options), options);
        }
    }

    private record TopicScan(Scan sparks, ReadOptions options, CaseInsensitiveStringMap given)
            implements Scan {
        @Override
        public StructType readSchema() {
            return RecordRows.schema(options);
        }

        @Override
        public String description() {
            return "kafka";
        }

        @Override
        public Batch toBatch() {
            return new TopicBatch(sparks.toBatch(), options);
        }

        @Override
        public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
            return new TopicStream(
                    (KafkaMicroBatchStream) sparks.toMicroBatchStream(checkpointLocation),
                    options, new Cluster(given.asCaseSensitiveMap()));
        }
    }
}
