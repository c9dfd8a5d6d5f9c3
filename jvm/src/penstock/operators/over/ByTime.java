package penstock.operators.over;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.RowOrdering$;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Packed;
import penstock.operators.OneTimer;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * OVER by event time: rows wait until the watermark has passed them, and are told in the order of
 * their times.
 *
 * <p>Late rows: where the frame is all that came before, Spark leaves out those that the watermark had
 * passed a batch before. Where it is bounded, a row is late if its partition has told one of its time
 * or later.
 */
final class ByTime extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;

    private final OverSpec spec;
    private transient Frame frame;
    private transient Waiting waiting;
    private transient BaseOrdering terms;

    ByTime(OverSpec spec) {
        this.spec = spec;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        frame = new Frame(spec, getHandle());
        waiting = new Waiting(getHandle());
        terms = spec.order().isEmpty() ? null
                : RowOrdering$.MODULE$.create(CodeWriter.seq(spec.order()), CodeWriter.seq(List.of()));
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        long last = Frame.NEVER;
        if (spec.bounded()) {
            frame.load();
            last = frame.last();
        }
        TreeMap<Long, List<Arrived>> byTime = new TreeMap<>();
        while (rows.hasNext()) {
            Arrived row = Arrived.of(rows.next());
            if (row.time() > last) {
                byTime.computeIfAbsent(row.time(), time -> new ArrayList<>()).add(row);
            }
        }
        if (!byTime.isEmpty()) {
            waiting.load();
            byTime.forEach((time, found) -> {
                found.sort(Arrived.ORDER);
                waiting.add(time, found);
            });
            waiting.wakeBy(waiting.first());
            waiting.save();
        }
        return CollectionConverters.asScala(List.<Row>of().iterator());
    }

    @Override
    public Iterator<Row> handleExpiredTimer(
            byte[] key, TimerValues timers, ExpiredTimerInfo expired) {
        long watermark = timers.getCurrentWatermarkInMs();
        List<Row> told = new ArrayList<>();
        waiting.load();
        waiting.awake();
        frame.load();
        while (waiting.first() <= watermark) {
            told.addAll(frame.take(inOrder(waiting.poll())));
        }
        settle(watermark, !told.isEmpty());
        waiting.save();
        return CollectionConverters.asScala(told.iterator());
    }

    /** Rows of one time, which are as they came, by the order that is asked for beside it. */
    private List<Arrived> inOrder(List<Arrived> rows) {
        if (terms != null) {
            rows.sort((a, b) -> terms.compare(
                    Packed.row(a.inputs(), spec.inputs()), Packed.row(b.inputs(), spec.inputs())));
        }
        return rows;
    }

    /** Keeps what a later row may see, and wakes when there is something to tell or to forget. */
    private void settle(long watermark, boolean changed) {
        boolean passes = spec.bounded() && !spec.rows();
        long seenUntil = passes ? frame.last() + spec.preceding() : OneTimer.NONE;
        if (waiting.first() != OneTimer.NONE) {
            waiting.wakeBy(waiting.first());
        } else if (passes && seenUntil < watermark) {
            frame.forget();
            return;
        } else if (passes) {
            waiting.wakeBy(seenUntil + 1);
        }
        if (changed) {
            frame.save();
        }
    }
}
