package penstock.kafka.source;

import org.apache.spark.SparkContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/** Makes the readers of a batch; made on the driver, where what they count comes together. */
final class TopicReaderFactory implements PartitionReaderFactory {
    private static final long serialVersionUID = 1L;

    private final ReadOptions options;
    private final ReadCounts counts;

    TopicReaderFactory(ReadOptions options) {
        this.options = options;
        counts = new ReadCounts(options.traffic());
        SparkContext.getOrCreate().register(counts);
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
        return new TopicReader((TaskRanges) partition, options, counts);
    }
}
