package penstock.watermark;

import java.util.Map;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;

/**
 * The clock as a source. Its offsets are in Spark's log, so a batch that is run again closes the same
 * windows. It is asked before the batch gets its time: no row is older than the watermark it moves.
 */
final class ClockStream implements MicroBatchStream, SupportsTriggerAvailableNow {
    private final TableKey table;
    private final LocalClock clock;
    private final long everyMs;
    private Long only;

    ClockStream(TableKey table, LocalClock clock, long everyMs) {
        this.table = table;
        this.clock = clock;
        this.everyMs = everyMs;
    }

    @Override
    public Offset initialOffset() {
        return new ClockOffset(0);
    }

    @Override
    public Offset deserializeOffset(String json) {
        return new ClockOffset(Long.parseLong(json));
    }

    /** A run that ends with what is there sees one time. */
    @Override
    public void prepareForTriggerAvailableNow() {
        only = now();
    }

    @Override
    public Offset latestOffset() {
        throw new UnsupportedOperationException("latestOffset(Offset, ReadLimit) is used");
    }

    @Override
    public Offset latestOffset(Offset start, ReadLimit limit) {
        long due = only == null ? now() : only;
        return due > ((ClockOffset) start).millis() ? new ClockOffset(due) : start;
    }

    private long now() {
        return Math.floorDiv(clock.at(System.currentTimeMillis()), everyMs) * everyMs;
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start, Offset end) {
        PartitionWatermarks.saw(
                table, Map.of(TableWatermark.WHOLE_TABLE, ((ClockOffset) end).millis()));
        return new InputPartition[0];
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return partition -> {
            throw new UnsupportedOperationException("the clock has no rows");
        };
    }

    @Override
    public void commit(Offset end) {}

    @Override
    public void stop() {}
}
