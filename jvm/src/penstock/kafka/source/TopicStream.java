package penstock.kafka.source;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReportsSourceMetrics;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeMode;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.kafka010.KafkaMicroBatchStream;
import org.apache.spark.sql.kafka010.KafkaSourceOffset;
import penstock.watermark.PartitionWatermarks;

/**
 * Spark's stream of topics, read by our tasks. For a table with a watermark it also tells which
 * partitions there are and which are idle; one that falls idle makes an empty batch, in which the
 * watermark can move.
 */
final class TopicStream implements MicroBatchStream, SupportsTriggerAvailableNow,
        SupportsRealTimeMode, ReportsSourceMetrics {
    private final KafkaMicroBatchStream sparks;
    private final ReadOptions options;
    private final IdlePartitions idle;
    private boolean drain;

    TopicStream(KafkaMicroBatchStream sparks, ReadOptions options) {
        this.sparks = sparks;
        this.options = options;
        this.idle = new IdlePartitions(options.idleTimeoutMs(),
                options.ends() == null ? null : TopicOffset.parse(options.ends()).byPartition());
    }

    @Override
    public Offset initialOffset() {
        return wrapped(sparks.initialOffset());
    }

    @Override
    public Offset deserializeOffset(String json) {
        return TopicOffset.parse(json);
    }

    @Override
    public ReadLimit getDefaultReadLimit() {
        return sparks.getDefaultReadLimit();
    }

    @Override
    public void prepareForTriggerAvailableNow() {
        drain = true;
        sparks.prepareForTriggerAvailableNow();
    }

    @Override
    public Offset latestOffset() {
        throw new UnsupportedOperationException("latestOffset(Offset, ReadLimit) is used");
    }

    @Override
    public Offset latestOffset(Offset start, ReadLimit limit) {
        TopicOffset from = (TopicOffset) start;
        TopicOffset to = wrapped(sparks.latestOffset(from.offsets(), limit));
        if (to == null || options.watermark() == null) {
            return to;
        }
        return new TopicOffset(to.offsets(), idle.in(from, to, drain, System.currentTimeMillis()));
    }

    @Override
    public Offset reportLatestOffset() {
        return sparks.reportLatestOffset();
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start, Offset end) {
        TopicOffset to = (TopicOffset) end;
        int tasks = options.parallelism();
        if (options.watermark() != null) {
            tasks = PartitionWatermarks.mayJoinPartitions(options.watermark()) ? tasks : 0;
            List<String> known = to.byPartition().keySet().stream().map(TopicOffset::name).toList();
            PartitionWatermarks.partitions(options.watermark(), known, to.idle());
        }
        InputPartition[] planned =
                sparks.planInputPartitions(((TopicOffset) start).offsets(), to.offsets());
        return TaskRanges.plan(planned, tasks);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new TopicReaderFactory(options);
    }

    @Override
    public void prepareForRealTimeMode() {
        sparks.prepareForRealTimeMode();
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start) {
        return TaskRanges.plan(sparks.planInputPartitions(((TopicOffset) start).offsets()), 0);
    }

    @Override
    public Offset mergeOffsets(PartitionOffset[] offsets) {
        return wrapped(sparks.mergeOffsets(offsets));
    }

    @Override
    public Map<String, String> metrics(Optional<Offset> latestConsumed) {
        return sparks.metrics(
                latestConsumed.map(offset -> TopicOffset.parse(offset.json()).offsets()));
    }

    @Override
    public void commit(Offset end) {
        sparks.commit(((TopicOffset) end).offsets());
    }

    @Override
    public void stop() {
        sparks.stop();
    }

    @Override
    public String toString() {
        return sparks.toString();
    }

    private static TopicOffset wrapped(Offset sparks) {
        return sparks == null ? null : new TopicOffset((KafkaSourceOffset) sparks, List.of());
    }
}
