package penstock.kafka.source;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import penstock.formats.BadMessageException;
import penstock.formats.Failures;
import penstock.kafka.SourcePartition;
import penstock.kafka.deadletters.LetterWriter;
import penstock.watermark.CurrentPartition;

/** Reads the ranges of one task through Spark's pool of consumers. */
final class TopicReader implements SupportsRealTimeRead<InternalRow>, Failures.Reader {
    private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);
    private static final String SHORT_WAIT_MS = "10";

    private final Iterator<KafkaBatchInputPartition> ranges;
    private final ReadCounts counts;
    private final RecordRows rows;
    private final CurrentPartition current;
    private final String table;
    private final LetterWriter letters;
    private final long mostLeftOut;
    private KafkaBatchInputPartition range;
    private KafkaDataConsumer consumer;
    private KafkaDataConsumerIterator endless;
    private long nextOffset;
    private long until;
    private long lostBefore;
    private InternalRow row;
    private ConsumerRecord<byte[], byte[]> record;
    private boolean isLeftOut;

    TopicReader(TaskRanges task, ReadOptions options, ReadCounts counts) {
        this.ranges = task.ranges().iterator();
        this.counts = counts;
        this.rows = new RecordRows(options);
        this.current =
                options.watermark() == null ? null : CurrentPartition.ofTask(options.watermark());
        this.table = options.table();
        this.mostLeftOut = options.mostLeftOut();
        this.letters = options.letters() == null
                ? null : new LetterWriter(options.letters(), task.earlier());
        Failures.reading(table, this);
        open();
    }

    private void open() {
        range = ranges.next();
        TopicPartition place = place();
        consumer = KafkaDataConsumer.acquire(place, consumerProperties());
        lostBefore = consumer.getNumOffsetOutOfRange();
        nextOffset = range.offsetRange().fromOffset();
        until = range.offsetRange().untilOffset();
        if (nextOffset < 0 || until < 0) {
            bindEnds();
        }
        rows.from(place);
        SourcePartition.ofTask().set(place);
        if (current != null) {
            current.set(TopicOffset.name(place));
        }
    }

    /**
     * A batch asks for messages that are there. But with them the consumer asks for the next ones,
     * and behind the last message the broker would hold that request for half a second, and with it
     * whatever the batch asks on the same connection. Real-time ranges, which have no end, wait.
     */
    private Map<String, Object> consumerProperties() {
        Map<String, Object> given = range.executorKafkaParams();
        if (range.offsetRange().untilOffset() == Long.MAX_VALUE) {
            return given;
        }
        Map<String, Object> prompt = new HashMap<>(given);
        prompt.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, SHORT_WAIT_MS);
        return prompt;
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
            ConsumerRecord<byte[], byte[]> found = fetch();
            if (found != null) {
                take(found);
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
        ConsumerRecord<byte[], byte[]> found;
        try {
            found = consumer.get(nextOffset, until, range.pollTimeoutMs(), range.failOnDataLoss());
        } catch (IllegalStateException error) {
            throw explained(error);
        }
        if (found == null || found.offset() != nextOffset) {
            countLost();
        }
        return found;
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

    private void take(ConsumerRecord<byte[], byte[]> found) {
        if (letters != null) {
            letters.raiseFailure();
        }
        record = found;
        isLeftOut = false;
        row = rows.of(found);
        nextOffset = found.offset() + 1;
        counts.read(Math.max(0, found.serializedKeySize())
                + Math.max(0, found.serializedValueSize()));
    }

    @Override
    public boolean isAt(String topic, Integer partition, Long offset) {
        return record != null && Long.valueOf(record.offset()).equals(offset)
                && Integer.valueOf(record.partition()).equals(partition)
                && record.topic().equals(topic);
    }

    /** A message counts once, though neither its key nor its value may be readable. */
    @Override
    public void leftOut(BadMessageException error, Failures.Handling handling) {
        if (isLeftOut) {
            return;
        }
        isLeftOut = true;
        if (mostLeftOut < Long.MAX_VALUE
                && LeftOut.inBatch(counts.id()).addAndGet(error.getBroken()) > mostLeftOut) {
            throw error;
        }
        if (handling == Failures.Handling.KAFKA) {
            letters.send(record, error);
            counts.deadLetter();
            return;
        }
        if (handling == Failures.Handling.LOG) {
            LOG.warn("{} of table {} was left out: topic {}, partition {}, offset {}, field {}: {}",
                    error.getRows() == null ? "A message" : "A part of a message", table,
                    record.topic(), record.partition(), record.offset(),
                    error.getField().isEmpty() ? "-" : error.getField(), error.getReason());
        }
        counts.skipped();
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
