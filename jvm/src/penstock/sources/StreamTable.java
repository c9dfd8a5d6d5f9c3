package penstock.sources;

import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A table that is read in micro-batches only, by the stream that its options ask for. */
@SuppressWarnings("deprecation")
public record StreamTable(
        String name, StructType schema, Function<CaseInsensitiveStringMap, MicroBatchStream> stream)
        implements SupportsRead {

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(TableCapability.MICRO_BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
        return () -> new StreamScan(options);
    }

    private final class StreamScan implements Scan {
        private final CaseInsensitiveStringMap options;

        StreamScan(CaseInsensitiveStringMap options) {
            this.options = options;
        }

        @Override
        public StructType readSchema() {
            return schema;
        }

        @Override
        public MicroBatchStream toMicroBatchStream(String checkpointLocation) {
            return stream.apply(options);
        }
    }
}
