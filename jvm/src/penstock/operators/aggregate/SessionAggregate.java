package penstock.operators.aggregate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import penstock.catalyst.Packed;
import penstock.operators.Changes;
import penstock.operators.OneTimer;
import penstock.operators.RowKind;
import penstock.operators.Stores;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * GROUP BY a session, over rows that come and go: the row of a session is told once, when the
 * watermark has passed its end, of the rows that are there then. Rows that go may end it earlier, or
 * make two of it.
 *
 * <p>A row is late when the session that it would be in was over a batch before. Spark, which knows
 * that watermark, is asked by a mark beside each row that comes: it leaves out the marks of rows that
 * are late if they are a session by themselves. A row that goes is late when it is not there.
 */
final class SessionAggregate extends StatefulProcessor<byte[], Row, Row> {
    /** The kind of a mark, which says that rows of its time, or later, are not late. */
    static final byte MARK = 4;

    private static final long serialVersionUID = 1L;
    private static final long MICROS_PER_MILLI = 1000;

    // What is before a row may reach a session by it; rows of one time come as they would again.
    private static final Comparator<Timed> LAST_FIRST = Comparator.comparingLong(Timed::time)
            .reversed().thenComparing(Timed::row, Arrays::compareUnsigned);

    private final AggregateSpec spec;
    private final SessionSpec session;
    private transient SessionRows open;
    private transient Accumulation accumulation;
    private transient GroupRow output;

    private record Timed(long time, byte[] row) {}

    SessionAggregate(AggregateSpec spec, SessionSpec session) {
        this.spec = spec;
        this.session = session;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        open = new SessionRows(getHandle(), session.gapMillis());
        accumulation = Accumulation.of(
                spec.calls(), false, new Stores(getHandle(), TTLConfig.NONE()));
        output = new GroupRow(spec);
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        List<Row> told = List.of();
        open.load();
        take(rows);
        if (session.atEnd()) {
            told = told(key, OneTimer.NONE - 1);
        } else {
            open.wake();
        }
        open.save();
        return CollectionConverters.asScala(told.iterator());
    }

    @Override
    public Iterator<Row> handleExpiredTimer(
            byte[] key, TimerValues timers, ExpiredTimerInfo expired) {
        open.load();
        open.awake();
        List<Row> told = told(key, timers.getCurrentWatermarkInMs());
        open.wake();
        open.save();
        return CollectionConverters.asScala(told.iterator());
    }

    /** Adds the rows that came and are not late, then takes back those that went. */
    private void take(Iterator<Row> rows) {
        List<Timed> came = new ArrayList<>();
        List<Timed> gone = new ArrayList<>();
        long inTime = session.atEnd() ? Long.MIN_VALUE : Long.MAX_VALUE;
        while (rows.hasNext()) {
            Row row = rows.next();
            byte kind = row.getByte(Changes.KIND);
            Timed change = new Timed(row.getLong(Changes.AT), row.getAs(Changes.ROW));
            if (kind == MARK) {
                inTime = Math.min(inTime, change.time());
            } else {
                (RowKind.isPresent(kind) ? came : gone).add(change);
            }
        }
        came.sort(LAST_FIRST);
        for (Timed row : came) {
            if (row.time() >= inTime || open.reaches(row.time())) {
                open.add(row.time(), row.row());
            }
        }
        gone.forEach(row -> open.remove(row.time(), row.row()));
    }

    /** The sessions that are over by a time, which are forgotten. */
    private List<Row> told(byte[] key, long watermark) {
        List<Row> found = new ArrayList<>();
        for (long end = open.firstEnd(); end <= watermark; end = open.firstEnd()) {
            GenericInternalRow bounds = new GenericInternalRow(new Object[] {
                    open.firstStart() * MICROS_PER_MILLI, end * MICROS_PER_MILLI});
            accumulation.clear();
            open.pollFirst(row -> accumulation.add(Packed.row(row, spec.inputs())));
            accumulation.settle();
            found.add(Changes.change(RowKind.INSERT, output.of(key, accumulation, bounds)));
            accumulation.forget();
        }
        return found;
    }
}
