package penstock.kafka.source;

import java.util.TreeMap;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import penstock.kafka.deadletters.Earlier;

/**
 * Topics read once, or beside a stream again with each of its batches, between offsets that Spark's own batch works out.
 */
record TopicBatch(Batch sparks, ReadOptions options) implements Batch {
    // Nothing is noted of a batch: a run that failed, or the last one, may have met its messages.
    private static final Earlier ANY = new Earlier(true, new TreeMap<>());

    @Override
    public InputPartition[] planInputPartitions() {
        return TaskRanges.plan(sparks.planInputPartitions(), options.parallelism(), ANY);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new TopicReaderFactory(options);
    }
}
