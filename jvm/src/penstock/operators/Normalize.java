package penstock.operators;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Upsert → retract: keeps the last row of each key and says what changed.
 *
 * <p>Of the rows of a key in one batch only the last counts, by its place. Against the row kept from
 * before it gives at most one change: a new key +I, other content -U and +U, a deletion -D with the
 * full old row; nothing for the same content again or for the deletion of an unknown key. With a time
 * to live the same content is passed on as an update, to keep it alive further down.
 *
 * <p>A change that is asked for its place has that of the row it comes from.
 */
public final class Normalize extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final String STATE = "row";

    private final long ttlMillis;
    private final boolean updateBefore;
    private final boolean placed;
    private transient ValueState<byte[]> kept;

    private Normalize(long ttlMillis, boolean updateBefore, boolean placed) {
        this.ttlMillis = ttlMillis;
        this.updateBefore = updateBefore;
        this.placed = placed;
    }

    /** The retract changelog of an upsert changelog, both packed; if asked for, with places. */
    public static Dataset<Row> apply(
            Dataset<Row> upserts, long ttlMillis, boolean updateBefore, boolean placed) {
        Normalize processor = new Normalize(ttlMillis, updateBefore, placed);
        return placed
                ? Changes.placed(upserts, processor, ttlMillis)
                : Changes.transformed(upserts, processor, ttlMillis);
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        kept = getHandle().getValueState(STATE, Encoders.BINARY(), Changes.ttl(ttlMillis));
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        Row last = last(rows);
        byte[] before = kept.get();
        boolean isThere = RowKind.isPresent(last.getByte(Changes.KIND));
        byte[] after = isThere ? last.getAs(Changes.ROW) : null;
        List<Row> changes = Changes.between(before, after, updateBefore, ttlMillis);
        if (!changes.isEmpty()) {
            if (after == null) {
                kept.clear();
            } else {
                kept.update(after);
            }
        }
        long at = last.getLong(Changes.AT);
        return CollectionConverters.asScala(placed
                ? changes.stream().map(change -> placed(change, at)).iterator()
                : changes.iterator());
    }

    private static Row placed(Row change, long at) {
        return RowFactory.create(change.get(Changes.ROW), change.get(Changes.KIND), at);
    }

    private static Row last(Iterator<Row> rows) {
        Row last = rows.next();
        while (rows.hasNext()) {
            Row next = rows.next();
            if (Changes.BY_PLACE.compare(next, last) > 0) {
                last = next;
            }
        }
        return last;
    }
}
