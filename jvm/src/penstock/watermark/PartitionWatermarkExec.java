package penstock.watermark;

import java.util.Iterator;
import java.util.UUID;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.streaming.operators.stateful.EventTimeStatsAccum;
import org.apache.spark.sql.execution.streaming.operators.stateful.EventTimeWatermarkExec;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.unsafe.types.CalendarInterval;
import scala.collection.immutable.Seq;

/**
 * Spark's watermark with the latest time of each partition in place of the latest of all. Spark
 * copies nodes by the constructor of its own class, so this one takes the same and reads what else it
 * needs from the metadata of the time column.
 */
public final class PartitionWatermarkExec extends EventTimeWatermarkExec {
    private static final long serialVersionUID = 1L;

    private final transient PartitionTimes times;

    public PartitionWatermarkExec(
            UUID nodeId, Attribute eventTime, CalendarInterval delay, SparkPlan child) {
        super(nodeId, eventTime, delay, child);
        // Spark compares plans by copies whose columns have lost their metadata; these never run.
        times = knows(eventTime) ? new PartitionTimes(keyOf(eventTime), delayMs()) : null;
        if (times != null) {
            sparkContext().register(times);
        }
    }

    static boolean knows(Attribute eventTime) {
        return eventTime.metadata().contains(PartitionWatermarks.SCAN);
    }

    static TableKey keyOf(Attribute eventTime) {
        Metadata known = eventTime.metadata();
        return new TableKey(
                known.getString(PartitionWatermarks.QUERY), known.getString(PartitionWatermarks.SCAN));
    }

    @Override
    public EventTimeStatsAccum eventTimeStats() {
        // Spark's constructor asks before this one has begun.
        return times == null ? super.eventTimeStats() : times;
    }

    @Override
    public EventTimeWatermarkExec withNewChildInternal(SparkPlan child) {
        return new PartitionWatermarkExec(nodeId(), eventTime(), delay(), child);
    }

    @Override
    public RDD<InternalRow> doExecute() {
        if (eventTime().metadata().contains(PartitionWatermarks.CLOCK)) {
            return child().execute();
        }
        PartitionTimes collected = times;
        int column = columnOf(child().output(), eventTime());
        return child().execute().toJavaRDD()
                .mapPartitions(rows -> new Observed(rows, column, collected)).rdd();
    }

    private static int columnOf(Seq<Attribute> columns, Attribute wanted) {
        int column = 0;
        while (columns.apply(column).exprId().id() != wanted.exprId().id()) {
            column++;
        }
        return column;
    }

    private static final class Observed implements Iterator<InternalRow> {
        private final Iterator<InternalRow> rows;
        private final int column;
        private final PartitionTimes times;
        private final CurrentPartition current;
        private String partition;
        private long[] latest;

        Observed(Iterator<InternalRow> rows, int column, PartitionTimes times) {
            this.rows = rows;
            this.column = column;
            this.times = times;
            current = CurrentPartition.ofTask(times.table());
        }

        @Override
        public boolean hasNext() {
            return rows.hasNext();
        }

        @Override
        @SuppressWarnings("StringEquality")
        public InternalRow next() {
            InternalRow row = rows.next();
            // The source gives one and the same text for all rows of a partition.
            if (current.name() != partition) {
                partition = current.name();
                latest = times.latest(partition);
            }
            latest[0] = Math.max(latest[0], Math.floorDiv(row.getLong(column), 1000L));
            return row;
        }
    }
}
