package penstock.operators.rank;

import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.TimerValues;
import penstock.operators.Changes;
import penstock.operators.Saved;
import scala.collection.BufferedIterator;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Top-N of a window, whose rows only come: those within the range are told when the watermark has
 * passed it.
 */
final class WindowRank extends Rank {
    private static final long serialVersionUID = 1L;

    WindowRank(RankSpec spec) {
        super(spec);
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> changes, TimerValues timers) {
        BufferedIterator<Row> all = changes.buffered();
        long end = Changes.windowEnd(all.head());
        if (!load()) {
            getHandle().registerTimer(end);
        }
        if (add(all)) {
            top.cut();
            kept.update(Saved.of(top::save));
        }
        return CollectionConverters.asScala(List.<Row>of().iterator());
    }

    @Override
    public Iterator<Row> handleExpiredTimer(
            byte[] key, TimerValues timers, ExpiredTimerInfo expired) {
        load();
        kept.clear();
        List<Row> found = Differences.between(spec, List.of(), top.placed(), Set.of());
        return CollectionConverters.asScala(found.iterator());
    }
}
