package penstock.operators;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Retract → upsert by the key of a sink that is not the rows' own: the last row of each key counts.
 *
 * <p>Several rows may have one key of the sink; when the last of them goes, the one before it is
 * there again. Kept are the rows of each key in the order in which they came: by batch, then by
 * place, and where those are alike by their bytes, so that a batch that is run again gives the same.
 */
public final class Materialize extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final String STATE = "end";

    private final long ttlMillis;
    private transient ValueState<Long> kept;
    private transient ArrivedRows rows;

    private Materialize(long ttlMillis) {
        this.ttlMillis = ttlMillis;
    }

    /** The upserts of a packed changelog. */
    public static Dataset<Row> apply(Dataset<Row> changes, long ttlMillis) {
        return Changes.transformed(changes, new Materialize(ttlMillis), ttlMillis);
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        TTLConfig ttl = Changes.ttl(ttlMillis);
        kept = getHandle().getValueState(STATE, Encoders.LONG(), ttl);
        rows = new ArrivedRows(getHandle(), ttl);
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> changes, TimerValues timers) {
        rows.load(kept.get());
        byte[] before = rows.last();
        for (Sum sum : summed(changes)) {
            rows.take(sum.row, sum.more, sum.came());
        }
        if (rows.last() == null) {
            kept.clear();
        } else {
            kept.update(rows.end());
        }
        List<Row> found = Changes.between(before, rows.last(), false, ttlMillis);
        return CollectionConverters.asScala(found.iterator());
    }

    /** The changes of each row together, whichever of them a shuffle brought first. */
    private static List<Sum> summed(Iterator<Row> changes) {
        Map<ByteBuffer, Sum> sums = new HashMap<>();
        while (changes.hasNext()) {
            Sum next = Sum.of(changes.next());
            sums.merge(ByteBuffer.wrap(next.row), next, Sum::plus);
        }
        List<Sum> found = new ArrayList<>(sums.values());
        found.sort(Sum.BY_ARRIVAL);
        return found;
    }

    /** How much more often a row is there than before, and the place at which it came last. */
    private record Sum(byte[] row, long more, long at) {
        // Before all places: what only goes makes room for what comes.
        static final long NOWHERE = Long.MIN_VALUE;
        static final Comparator<Sum> BY_ARRIVAL =
                Comparator.comparingLong(Sum::at).thenComparing(Sum::row, Arrays::compareUnsigned);

        static Sum of(Row change) {
            byte[] row = change.getAs(Changes.ROW);
            return RowKind.isPresent(change.getByte(Changes.KIND))
                    ? new Sum(row, 1, change.getLong(Changes.AT)) : new Sum(row, -1, NOWHERE);
        }

        Sum plus(Sum other) {
            return new Sum(row, more + other.more, Math.max(at, other.at));
        }

        boolean came() {
            return at != NOWHERE;
        }
    }
}
