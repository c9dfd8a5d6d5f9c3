package penstock.operators.aggregate;

import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.TimerValues;
import penstock.operators.Changes;
import penstock.operators.RowKind;
import scala.collection.BufferedIterator;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * GROUP BY a window, over rows that come and go: the row of a group is told once, when the watermark
 * has passed its window. A group whose rows all went is told never.
 */
final class WindowAggregate extends Aggregate {
    private static final long serialVersionUID = 1L;

    WindowAggregate(AggregateSpec spec) {
        super(spec);
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        BufferedIterator<Row> all = rows.buffered();
        long end = Changes.windowEnd(all.head());
        boolean known = load();
        if (take(all) && !known) {
            getHandle().registerTimer(end);
        }
        return CollectionConverters.asScala(List.<Row>of().iterator());
    }

    @Override
    public Iterator<Row> handleExpiredTimer(
            byte[] key, TimerValues timers, ExpiredTimerInfo expired) {
        List<Row> found = List.of();
        if (load()) {
            found = List.of(Changes.change(RowKind.INSERT, result(key)));
            forget();
        }
        return CollectionConverters.asScala(found.iterator());
    }
}
