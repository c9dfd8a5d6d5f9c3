package penstock.operators.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import penstock.operators.Changes;
import penstock.operators.RowKind;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The first rows of a partition by arrival, where none is taken back: what went out stays.
 *
 * <p>Kept is how many there were.
 */
final class FirstCome extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final String STATE = "count";
    private static final Comparator<Row> BY_ARRIVAL =
            Comparator.<Row>comparingLong(row -> row.getLong(Changes.AT))
                    .thenComparing(row -> row.<byte[]>getAs(Changes.ROW), Arrays::compareUnsigned);

    private final RankSpec spec;
    private transient ValueState<Long> kept;

    FirstCome(RankSpec spec) {
        this.spec = spec;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        kept = getHandle().getValueState(STATE, Encoders.LONG(), Changes.ttl(spec.ttlMillis()));
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        Long known = kept.get();
        long count = known == null ? 0 : known;
        List<Row> found = new ArrayList<>();
        List<Row> first = first(rows, spec.last() - count);
        for (Row row : first) {
            count++;
            if (count >= spec.first()) {
                byte[] out = Differences.numbered(spec, row.getAs(Changes.ROW), count);
                found.add(Changes.change(RowKind.INSERT, out));
            }
        }
        if (!first.isEmpty()) {
            kept.update(count);
        }
        return CollectionConverters.asScala(found.iterator());
    }

    private static List<Row> first(Iterator<Row> rows, long limit) {
        PriorityQueue<Row> best = new PriorityQueue<>(BY_ARRIVAL.reversed());
        while (rows.hasNext()) {
            best.add(rows.next());
            if (best.size() > limit) {
                best.poll();
            }
        }
        List<Row> found = new ArrayList<>(best);
        found.sort(BY_ARRIVAL);
        return found;
    }
}
