package penstock.kafka.source;

import java.util.TreeMap;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import penstock.kafka.deadletters.Earlier;

/**
 * Topics read once, or beside a stream again with each of its batches, between offsets that Spark's
 * own batch works out.
 */
record TopicBatch(Batch sparks, ReadOptions options) implements Batch {
    @Override
    public InputPartition[] planInputPartitions() {
        // Nothing is noted of a batch: any run before this one may have met its messages.
        Earlier any = Earlier.of(true, new TreeMap<>());
        return TaskRanges.plan(sparks.planInputPartitions(), options.parallelism(), any);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new TopicReaderFactory(options);
    }
}
