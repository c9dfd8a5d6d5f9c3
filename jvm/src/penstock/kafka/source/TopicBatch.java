package penstock.kafka.source;

import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/** Topics read once, between offsets that Spark's own batch works out. */
record TopicBatch(Batch sparks, ReadOptions options) implements Batch {
    @Override
    public InputPartition[] planInputPartitions() {
        return TaskRanges.plan(sparks.planInputPartitions(), options.parallelism());
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new TopicReaderFactory(options);
    }
}
