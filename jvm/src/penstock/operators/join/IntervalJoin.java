package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import penstock.operators.Changes;
import penstock.operators.OneTimer;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A join that is bounded in time, of rows that only come.
 *
 * <p>A row is kept until the watermark has passed the times that its partners can have; an outer join
 * then tells it by itself if it met none. No row is left out because it is late: it meets what is
 * still kept, is kept as long as its partners may come in time, and else told at once. Two that are
 * not kept never meet, though one batch may bring both.
 *
 * <p>In windows all rows that come here are in time. A step below tells those of a window in the
 * batch in which the watermark passes its end, when nothing is kept of it any more: they meet, too.
 */
final class IntervalJoin extends StatefulProcessor<byte[], Row, Row> {
    static final long MICROS_PER_MILLI = 1000;
    /** What the column {@code until} says of all rows: Spark leaves out none of them. */
    static final long NEVER_LATE = Long.MAX_VALUE;

    private static final long serialVersionUID = 1L;
    private static final int SAVED = 3 * Long.BYTES + 2 * Integer.BYTES;

    private final JoinSpec spec;
    private final boolean inWindows;
    private transient BoundedRows left;
    private transient BoundedRows right;
    private transient ValueState<byte[]> saved;
    private transient OneTimer timer;
    private transient Pairs pairs;

    IntervalJoin(JoinSpec spec, boolean inWindows) {
        this.spec = spec;
        this.inWindows = inWindows;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        left = new BoundedRows(getHandle(), "left", own(true) != JoinKind.Own.NONE);
        right = new BoundedRows(getHandle(), "right", own(false) != JoinKind.Own.NONE);
        saved = getHandle().getValueState("saved", Encoders.BINARY(), Changes.ttl(0));
        timer = new OneTimer(getHandle());
        pairs = new Pairs(spec);
    }

    private JoinKind.Own own(boolean ofLeft) {
        return spec.kind().own(ofLeft);
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        load();
        while (rows.hasNext()) {
            take(rows.next());
        }
        long watermark = watermark(timers);
        long late = inWindows ? Long.MIN_VALUE : watermark;
        if (!left.come().isEmpty()) {
            meet(left.come(), right.kept());
        }
        if (!right.come().isEmpty()) {
            meet(left.inTime(late), right.come());
            meet(left.tooLate(late), right.inTime(late));
            meet(left.kept(), right.come());
        }
        left.settle(watermark, timer, this::giveLeft);
        right.settle(watermark, timer, this::giveRight);
        return told();
    }

    @Override
    public Iterator<Row> handleExpiredTimer(
            byte[] key, TimerValues timers, ExpiredTimerInfo expired) {
        load();
        timer.awake();
        long watermark = watermark(timers);
        left.pass(watermark, timer, this::giveLeft);
        right.pass(watermark, timer, this::giveRight);
        return told();
    }

    private static long watermark(TimerValues timers) {
        return timers.getCurrentWatermarkInMs() * MICROS_PER_MILLI;
    }

    private void load() {
        pairs.clear();
        byte[] bytes = saved.get();
        ByteBuffer in = bytes == null ? null : ByteBuffer.wrap(bytes);
        timer.load(in == null ? OneTimer.NONE : in.getLong());
        left.load(in);
        right.load(in);
    }

    private void take(Row row) {
        byte[] bytes = row.getAs(Changes.ROW);
        switch (row.getByte(Changes.KIND)) {
            case Join.LEFT -> left.add(due(row), bytes);
            case Join.RIGHT -> right.add(due(row), bytes);
            case Join.LONELY_LEFT -> giveLonely(true, bytes);
            default -> giveLonely(false, bytes);
        }
    }

    /** Until when a row waits; a window is over when the watermark is at its end, not behind it. */
    private long due(Row row) {
        return row.getLong(Changes.AT) - (inWindows ? 1 : 0);
    }

    private void giveLonely(boolean ofLeft, byte[] row) {
        if (own(ofLeft) == JoinKind.Own.WITHOUT) {
            ByteBuffer bytes = ByteBuffer.wrap(row);
            pairs.give(ofLeft ? bytes : null, ofLeft ? null : bytes, 1);
        }
    }

    private void giveLeft(BoundedRows.Entry entry) {
        giveLonely(true, entry.row);
    }

    private void giveRight(BoundedRows.Entry entry) {
        giveLonely(false, entry.row);
    }

    private void meet(List<BoundedRows.Entry> lefts, List<BoundedRows.Entry> rights) {
        for (BoundedRows.Entry one : lefts) {
            ByteBuffer row = ByteBuffer.wrap(one.row);
            for (BoundedRows.Entry other : rights) {
                ByteBuffer partner = ByteBuffer.wrap(other.row);
                if (pairs.match(row, partner)) {
                    givePair(row, partner, one.met);
                    one.met = true;
                    other.met = true;
                }
            }
        }
    }

    private void givePair(ByteBuffer row, ByteBuffer partner, boolean met) {
        if (spec.kind().pairs()) {
            pairs.give(row, partner, 1);
        } else if (own(true) == JoinKind.Own.WITH && !met) {
            pairs.give(row, null, 1);
        }
    }

    private Iterator<Row> told() {
        if (left.isEmpty() && right.isEmpty() && !timer.isSet()) {
            saved.clear();
        } else {
            ByteBuffer out = ByteBuffer.allocate(SAVED).putLong(timer.time());
            left.save(out);
            right.save(out);
            saved.update(out.array());
        }
        return CollectionConverters.asScala(pairs.changes().iterator());
    }
}
