package penstock.kafka.source;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.CompositeReadLimit;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReadMinRows;
import org.apache.spark.sql.connector.read.streaming.ReportsSourceMetrics;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeMode;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.kafka010.KafkaMicroBatchStream;
import org.apache.spark.sql.kafka010.KafkaSourceOffset;
import penstock.kafka.deadletters.Earlier;
import penstock.watermark.PartitionWatermarks;

/**
 * Spark's stream of topics, read by our tasks. For a table with a watermark it also tells which
 * partitions there are and which are idle; one that falls idle makes an empty batch, in which the
 * watermark can move. A run that finds no message begins with an empty batch, too: an earlier one
 * may have ended before it told what its last watermark had passed.
 */
final class TopicStream implements MicroBatchStream, SupportsTriggerAvailableNow,
        SupportsRealTimeMode, ReportsSourceMetrics {
    private final KafkaMicroBatchStream sparks;
    private final ReadOptions options;
    private final IdlePartitions idle;
    private final Cluster cluster;
    private final Recreated recreated;
    private boolean drain;
    private boolean realTime;
    private boolean begun;
    private String firstBatch;
    private final long begunAt = System.currentTimeMillis();
    private boolean hasBlock;

    TopicStream(KafkaMicroBatchStream sparks, ReadOptions options, Cluster cluster) {
        this.sparks = sparks;
        this.options = options;
        this.cluster = cluster;
        // Ends that were looked up in the old topic mean nothing in the new one.
        boolean fails = options.failOnDataLoss() || options.ends() != null;
        this.recreated = new Recreated(cluster, fails);
        this.idle = new IdlePartitions(options.idleTimeoutMs(),
                options.ends() == null ? null : TopicOffset.parse(options.ends()).byPartition());
    }

    @Override
    public Offset initialOffset() {
        // Spark runs the first batch of all in any case.
        begun = true;
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
        ReadLimit most = drain ? withoutWaiting(limit) : limit;
        if (waitsForFirstBlock(from, most)) {
            return null;
        }
        Offset latest = sparks.latestOffset(from.offsets(), most);
        if (latest == null) {
            return null;
        }
        if (realTime || !recreated.wasAsked() || !latest.equals(from.offsets())) {
            recreated.look(wrapped(latest).topics());
            TopicOffset same = recreated.start(from);
            latest = same == from ? latest : sparks.latestOffset(same.offsets(), most);
            from = same;
        }
        TopicOffset to = wrapped(latest);
        if (options.watermark() != null) {
            to = to.withIdle(idle.in(from, to, drain, System.currentTimeMillis()));
            boolean silent = !begun && latest.equals(from.offsets());
            to = to.withMark(silent != from.isMarked());
        }
        return withLetters(from, to);
    }

    /** To Spark the time of a block begins with the last one: it would not wait for the first. */
    private boolean waitsForFirstBlock(TopicOffset from, ReadLimit limit) {
        if (hasBlock) {
            return false;
        }
        ReadLimit[] limits = limit instanceof CompositeReadLimit several
                ? several.getReadLimits() : new ReadLimit[] {limit};
        hasBlock = Arrays.stream(limits).noneMatch(one -> one instanceof ReadMinRows least
                && System.currentTimeMillis() - begunAt < least.maxTriggerDelayMs()
                && rowsFrom(from, withoutWaiting(limit)) < least.minRows());
        return !hasBlock;
    }

    private long rowsFrom(TopicOffset from, ReadLimit limit) {
        Offset latest = sparks.latestOffset(from.offsets(), limit);
        if (latest == null) {
            return 0;
        }
        Map<TopicPartition, Object> before = from.byPartition();
        return wrapped(latest).byPartition().entrySet().stream().mapToLong(end ->
                (long) end.getValue() - (long) before.getOrDefault(end.getKey(), 0L)).sum();
    }

    /** Whoever reads what is there now waits for nothing more. */
    private static ReadLimit withoutWaiting(ReadLimit limit) {
        if (limit instanceof CompositeReadLimit several) {
            return Arrays.stream(several.getReadLimits())
                    .filter(one -> !(one instanceof ReadMinRows)).findFirst()
                    .orElseGet(ReadLimit::allAvailable);
        }
        return limit instanceof ReadMinRows ? ReadLimit.allAvailable() : limit;
    }

    /** The same where there is nothing new: to Spark any other offset is a batch to run. */
    private TopicOffset withLetters(TopicOffset from, TopicOffset to) {
        if (options.letters() == null) {
            return to;
        }
        TopicOffset same = to.withLetters(from.letters());
        return same.equals(from) ? same : to.withLetters(cluster.ends(options.letters().topic()));
    }

    /** Only the first batch of a run can have been begun by an earlier one. */
    private Earlier earlier(TopicOffset batch) {
        if (firstBatch == null) {
            firstBatch = batch.json();
        }
        return Earlier.of(batch.json().equals(firstBatch), batch.letters());
    }

    @Override
    public Offset reportLatestOffset() {
        return sparks.reportLatestOffset();
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start, Offset end) {
        begun = true;
        TopicOffset to = recreated.end((TopicOffset) end);
        int tasks = options.parallelism();
        if (options.watermark() != null) {
            tasks = PartitionWatermarks.mayJoinPartitions(options.watermark()) ? tasks : 0;
            List<String> known = to.byPartition().keySet().stream().map(TopicOffset::name).toList();
            PartitionWatermarks.partitions(options.watermark(), known, to.idle());
        }
        TopicOffset from = recreated.start((TopicOffset) start);
        InputPartition[] planned = sparks.planInputPartitions(from.offsets(), to.offsets());
        return TaskRanges.plan(planned, tasks, earlier(to));
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return new TopicReaderFactory(options);
    }

    @Override
    public void prepareForRealTimeMode() {
        realTime = true;
        sparks.prepareForRealTimeMode();
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start) {
        TopicOffset from = recreated.start((TopicOffset) start);
        return TaskRanges.plan(
                sparks.planInputPartitions(from.offsets()), 0, earlier(from));
    }

    @Override
    public Offset mergeOffsets(PartitionOffset[] offsets) {
        TopicOffset merged = wrapped(sparks.mergeOffsets(offsets));
        return options.letters() == null
                ? merged : merged.withLetters(cluster.ends(options.letters().topic()));
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
        cluster.close();
    }

    @Override
    public String toString() {
        return sparks.toString();
    }

    private TopicOffset wrapped(Offset sparks) {
        return new TopicOffset(
                (KafkaSourceOffset) sparks, List.of(), recreated.ids(), Map.of(), false);
    }
}
