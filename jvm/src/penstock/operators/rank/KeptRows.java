package penstock.operators.rank;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.MapState;
import penstock.operators.Changes;
import penstock.operators.RowKind;
import penstock.operators.Stand;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Every row of a partition, one entry of the state for each.
 *
 * <p>The list of the first rows is filled from them again when so many of it went that others must
 * follow.
 */
final class KeptRows {
    static final String STATE = "rows";

    private final MapState<byte[], byte[]> state;
    private final RankSpec spec;

    KeptRows(MapState<byte[], byte[]> state, RankSpec spec) {
        this.state = state;
        this.spec = spec;
    }

    /**
     * Takes the changes of a batch, summed up per row; whether there are any. With a time to live
     * rows that {@code came} are kept for that time from now on, also if they are as they were.
     */
    boolean take(Iterator<Row> changes, TopList top, Set<ByteBuffer> came) {
        long batch = top.nextBatch();
        Map<ByteBuffer, Entry> sums = new HashMap<>();
        while (changes.hasNext()) {
            Row change = changes.next();
            int sign = RowKind.isPresent(change.getByte(Changes.KIND)) ? 1 : -1;
            Stand stand = new Stand(batch, change.getLong(Changes.AT), sign);
            Entry entry = Entry.of(change.getAs(Changes.ROW), spec.fields(), stand);
            ByteBuffer row = ByteBuffer.wrap(entry.bytes());
            sums.merge(row, entry,
                    (sum, next) -> sum.with(top.place(sum, next), next.count()));
            if (sign > 0 && spec.ttlMillis() > 0) {
                came.add(row);
            }
        }
        sums.entrySet().removeIf(
                sum -> sum.getValue().count() == 0 && !came.contains(sum.getKey()));
        sums.values().forEach(sum -> apply(sum, top));
        return !sums.isEmpty();
    }

    private void apply(Entry sum, TopList top) {
        Entry before = top.find(sum.bytes());
        if (before != null) {
            top.remove(before);
        } else {
            byte[] value = state.getValue(sum.bytes());
            before = value == null
                    ? null : Entry.of(sum.bytes(), spec.fields(), Stand.read(value));
        }
        Entry after = sum;
        if (before != null) {
            after = before.with(sum.count() > 0 ? top.place(before, sum) : before, sum.count());
        }
        // What is taken back but was never there has expired before.
        if (after.count() > 0) {
            state.updateValue(after.bytes(), after.stand().bytes());
            top.add(after);
        } else if (before != null) {
            state.removeKey(after.bytes());
        }
    }

    /** Adds all rows to the list, of which it keeps the first. */
    void refill(TopList top) {
        top.empty();
        Iterator<Tuple2<byte[], byte[]>> all = state.iterator();
        while (all.hasNext()) {
            Tuple2<byte[], byte[]> entry = all.next();
            top.add(Entry.of(entry._1(), spec.fields(), Stand.read(entry._2())));
        }
        top.cut();
    }
}
