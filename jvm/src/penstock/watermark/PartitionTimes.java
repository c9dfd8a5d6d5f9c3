package penstock.watermark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.execution.streaming.operators.stateful.EventTimeStats;
import org.apache.spark.sql.execution.streaming.operators.stateful.EventTimeStatsAccum;
import org.apache.spark.util.AccumulatorV2;

/**
 * The latest time of each partition in a batch: collected by tasks, merged on the driver, where its
 * value is not what these rows say but what the table has reached altogether.
 */
final class PartitionTimes extends EventTimeStatsAccum {
    private static final long serialVersionUID = 1L;

    private final TableKey table;
    private final long delayMs;
    private final HashMap<String, long[]> latest = new HashMap<>();
    private final transient boolean atDriver;

    PartitionTimes(TableKey table, long delayMs) {
        this(table, delayMs, true);
    }

    private PartitionTimes(TableKey table, long delayMs, boolean atDriver) {
        super(EventTimeStats.zero());
        this.table = table;
        this.delayMs = delayMs;
        this.atDriver = atDriver;
    }

    TableKey table() {
        return table;
    }

    /** Where the latest time of a partition is kept, in milliseconds. */
    long[] latest(String partition) {
        return latest.computeIfAbsent(partition, unused -> new long[] {Long.MIN_VALUE});
    }

    @Override
    public boolean isZero() {
        return latest.isEmpty();
    }

    @Override
    public AccumulatorV2<Object, EventTimeStats> copy() {
        PartitionTimes copy = new PartitionTimes(table, delayMs, false);
        latest.forEach((name, time) -> copy.latest.put(name, time.clone()));
        return copy;
    }

    @Override
    public void reset() {
        latest.clear();
    }

    @Override
    public void merge(AccumulatorV2<Object, EventTimeStats> other) {
        Map<String, Long> times = new HashMap<>();
        ((PartitionTimes) other).latest.forEach((name, time) -> times.put(name, time[0]));
        PartitionWatermarks.saw(table, times);
    }

    @Override
    public EventTimeStats value() {
        Long reached = atDriver ? PartitionWatermarks.reached(table) : null;
        if (reached == null) {
            return EventTimeStats.zero();
        }
        // Spark takes the delay off the latest time again.
        long timeMs = reached + delayMs;
        return new EventTimeStats(timeMs, timeMs, timeMs, 1);
    }
}
