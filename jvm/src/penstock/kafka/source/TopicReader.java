package penstock.kafka.source;

import java.util.Iterator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeRead;
import org.apache.spark.sql.kafka010.KafkaBatchInputPartition;
import org.apache.spark.sql.kafka010.KafkaSourcePartitionOffset;
import org.apache.spark.sql.kafka010.consumer.KafkaDataConsumer;
import org.apache.spark.sql.kafka010.consumer.KafkaDataConsumerIterator;
import penstock.kafka.SourcePartition;
import penstock.watermark.CurrentPartition;

/** Reads the ranges of one task through Spark's pool of consumers. */
final class TopicReader implements SupportsRealTimeRead<InternalRow> {
    private final Iterator<KafkaBatchInputPartition> ranges;
    private final ReadCounts counts;
    private final RecordRows rows;
    private final CurrentPartition current;
    private KafkaBatchInputPartition range;
    private KafkaDataConsumer consumer;
    private KafkaDataConsumerIterator endless;
    private long nextOffset;
    private long until;
    private long lostBefore;
    private InternalRow row;

    TopicReader(TaskRanges task, ReadOptions options, ReadCounts counts) {
        this.ranges = task.ranges().iterator();
        this.counts = counts;
        this.rows = new RecordRows(options);
        this.current =
                options.watermark() == null ? null : CurrentPartition.ofTask(options.watermark());
        open();
    }

    private void open() {
        range = ranges.next();
        TopicPartition place = place();
        consumer = KafkaDataConsumer.acquire(place, range.executorKafkaParams());
        lostBefore = consumer.getNumOffsetOutOfRange();
        nextOffset = range.offsetRange().fromOffset();
        until = range.offsetRange().untilOffset();
        if (nextOffset < 0 || until < 0) {
            bindEnds();
        }
        rows.from(place);
        SourcePartition.ofTask().set(place.partition());
        if (current != null) {
            current.set(TopicOffset.name(place));
        }
    }

    /** A batch may leave the earliest and the latest offset to be found when it is read. */
    private void bindEnds() {
        var available = consumer.getAvailableOffsetRange();
        nextOffset = nextOffset < 0 ? available.earliest() : nextOffset;
        until = until < 0 ? available.latest() : until;
    }

    private TopicPartition place() {
        return range.offsetRange().topicPartition();
    }

    @Override
    public boolean next() {
        while (true) {
            ConsumerRecord<byte[], byte[]> record = fetch();
            if (record != null) {
                take(record);
                return true;
            }
            if (!ranges.hasNext()) {
                return false;
            }
            consumer.release();
            open();
        }
    }

    private ConsumerRecord<byte[], byte[]> fetch() {
        if (nextOffset >= until) {
            return null;
        }
        ConsumerRecord<byte[], byte[]> record;
        try {
            record = consumer.get(nextOffset, until, range.pollTimeoutMs(), range.failOnDataLoss());
        } catch (IllegalStateException error) {
            throw explained(error);
        }
        if (record == null || record.offset() != nextOffset) {
            countLost();
        }
        return record;
    }

    /** Spark counts what lay before the beginning of the log, not what compaction left out. */
    private void countLost() {
        long outOfRange = consumer.getNumOffsetOutOfRange();
        counts.lost(outOfRange - lostBefore);
        lostBefore = outOfRange;
    }

    private RuntimeException explained(IllegalStateException error) {
        long earliest = consumer.getAvailableOffsetRange().earliest();
        return earliest <= nextOffset
                ? error : new DataLossException(place(), nextOffset, earliest, error);
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        row = rows.of(record);
        nextOffset = record.offset() + 1;
        counts.read(Math.max(0, record.serializedKeySize())
                + Math.max(0, record.serializedValueSize()));
    }

    @Override
    public InternalRow get() {
        return row;
    }

    @Override
    public RecordStatus nextWithTimeout(Long startTimeMs, Long timeoutMs) {
        if (endless == null) {
            skipWhatIsGone();
            endless = consumer.getIterator(nextOffset);
        }
        var found = endless.nextWithTimeout(timeoutMs);
        if (found.isEmpty()) {
            return RecordStatus.newStatusWithoutArrivalTime(false);
        }
        take(found.get());
        return found.get().timestampType() == TimestampType.NO_TIMESTAMP_TYPE
                ? RecordStatus.newStatusWithoutArrivalTime(true)
                : RecordStatus.newStatusWithArrivalTimeMs(found.get().timestamp());
    }

    /** Spark's endless reader would wait at an offset that retention has overtaken. */
    private void skipWhatIsGone() {
        long earliest = consumer.getAvailableOffsetRange().earliest();
        if (earliest > nextOffset) {
            if (range.failOnDataLoss()) {
                throw new DataLossException(place(), nextOffset, earliest, null);
            }
            counts.lost(earliest - nextOffset);
            nextOffset = earliest;
        }
    }

    @Override
    public PartitionOffset getOffset() {
        return new KafkaSourcePartitionOffset(place(), nextOffset);
    }

    @Override
    public void close() {
        consumer.release();
    }
}
