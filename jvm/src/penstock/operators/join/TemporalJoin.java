package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import penstock.catalyst.Packed;
import penstock.operators.Changes;
import penstock.operators.RowKind;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * FOR SYSTEM_TIME AS OF an event time: each left row with the version of the right row that was there
 * at its time.
 *
 * <p>A left row waits until the watermark has passed its time: then all versions up to it are there.
 * Spark leaves out left rows that it had passed a batch before; late versions are taken, and count
 * for the rows that still wait. Versions are forgotten when their successor is passed.
 */
final class TemporalJoin extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final long MICROS_PER_MILLI = 1000;
    // What the column `until` says of a row of the right side: none of them is ever late.
    static final long OF_RIGHT = Long.MAX_VALUE;
    // What the column `at` says of a row that has no key to find a partner by.
    static final long LONELY = -1;

    private final TemporalSpec spec;
    private transient Versions versions;
    private transient LeftRows waiting;
    private transient Pairs pairs;

    TemporalJoin(TemporalSpec spec) {
        this.spec = spec;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        versions = new Versions(spec, getHandle());
        waiting = new LeftRows(getHandle());
        pairs = new Pairs(spec.join());
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        long watermark = watermark(timers);
        load();
        long due = waiting.due();
        List<Row> all = new ArrayList<>();
        rows.foreach(all::add);
        all.sort(Changes.BY_PLACE);
        for (Row row : all) {
            take(row, watermark);
        }
        Iterator<Row> found = tell(watermark);
        if (waiting.due() != due && due != LeftRows.NEVER) {
            getHandle().deleteTimer(millis(due));
        }
        wake(due);
        return found;
    }

    @Override
    public Iterator<Row> handleExpiredTimer(
            byte[] key, TimerValues timers, ExpiredTimerInfo expired) {
        load();
        long due = waiting.due();
        Iterator<Row> found = tell(watermark(timers));
        wake(due);
        return found;
    }

    private long watermark(TimerValues timers) {
        return spec.atEnd()
                ? Long.MAX_VALUE : timers.getCurrentWatermarkInMs() * MICROS_PER_MILLI;
    }

    private void load() {
        pairs.clear();
        versions.clear();
        waiting.load();
    }

    private void take(Row row, long watermark) {
        byte[] bytes = row.getAs(Changes.ROW);
        byte kind = row.getByte(Changes.KIND);
        boolean lonely = row.getLong(Changes.AT) == LONELY;
        long until = row.getLong(Changes.UNTIL);
        if (until != OF_RIGHT) {
            waiting.add(new LeftRows.Entry(until, RowKind.isPresent(kind), lonely, bytes));
        } else if (!lonely && kind != RowKind.UPDATE_BEFORE) {
            // The row before an update says nothing new of the version that it was.
            long time = Packed.row(bytes, spec.join().right().length()).getLong(spec.rightTime());
            versions.add(time, RowKind.isPresent(kind), bytes, watermark);
        }
    }

    /** The rows whose time has passed, each with its version. */
    private Iterator<Row> tell(long watermark) {
        for (LeftRows.Entry entry : waiting.passed(watermark)) {
            ByteBuffer left = ByteBuffer.wrap(entry.row());
            ByteBuffer right = entry.lonely() ? null : versions.at(timeOf(entry));
            long times = entry.comes() ? 1 : -1;
            if (right != null && pairs.match(left, right)) {
                pairs.give(left, right, times);
            } else if (spec.join().kind() == JoinKind.LEFT) {
                pairs.give(left, null, times);
            }
        }
        versions.save(watermark);
        return CollectionConverters.asScala(pairs.changes().iterator());
    }

    private long timeOf(LeftRows.Entry entry) {
        return Packed.row(entry.row(), spec.join().left().length()).getLong(spec.leftTime());
    }

    /** Let the row that is due first be told, if it is another than before. */
    private void wake(long dueBefore) {
        if (waiting.due() != dueBefore && waiting.due() != LeftRows.NEVER) {
            getHandle().registerTimer(millis(waiting.due()));
        }
    }

    private static long millis(long micros) {
        return -Math.floorDiv(-micros, MICROS_PER_MILLI);
    }
}
