package penstock.operators.aggregate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import penstock.catalyst.Packed;
import penstock.operators.Changes;
import penstock.operators.RowKind;
import penstock.operators.Saved;
import penstock.operators.Stores;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * GROUP BY over rows that come and go.
 *
 * <p>The rows of a group in one batch make at most one change of its result: +I for a new group, -U
 * and +U where the result became another, -D when its last row went; nothing where it is the same.
 */
class Aggregate extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final String STATE = "group";

    private final AggregateSpec spec;
    private transient ValueState<byte[]> kept;
    private transient Accumulation accumulation;
    private transient GroupRow output;
    private transient long count;
    // What comes in a batch to a group that is not known, or not any more.
    private transient Map<ByteBuffer, Integer> come;

    Aggregate(AggregateSpec spec) {
        this.spec = spec;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        kept = getHandle().getValueState(STATE, Encoders.BINARY(), Changes.ttl(spec.ttlMillis()));
        Stores stores = new Stores(getHandle(), Changes.ttl(spec.ttlMillis()));
        accumulation = Accumulation.of(spec.calls(), spec.retracts(), stores);
        output = new GroupRow(spec);
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        byte[] before = load() ? result(key) : null;
        byte[] after = take(rows) ? result(key) : null;
        List<Row> changes =
                Changes.between(before, after, spec.updateBefore(), spec.ttlMillis());
        return CollectionConverters.asScala(changes.iterator());
    }

    /** Adds all rows that came, then takes back those that went; whether any are left. */
    final boolean take(Iterator<Row> rows) {
        List<byte[]> gone = new ArrayList<>();
        while (rows.hasNext()) {
            Row row = rows.next();
            byte[] bytes = row.getAs(Changes.ROW);
            if (RowKind.isPresent(row.getByte(Changes.KIND))) {
                accumulation.add(Packed.row(bytes, spec.inputs()));
                count++;
                if (come != null) {
                    come.merge(ByteBuffer.wrap(bytes), 1, Integer::sum);
                }
            } else {
                gone.add(bytes);
            }
        }
        for (byte[] bytes : gone) {
            if (come == null || hasCome(bytes)) {
                accumulation.retract(Packed.row(bytes, spec.inputs()));
                count--;
            }
        }
        if (count <= 0) {
            forget();
            return false;
        }
        accumulation.settle();
        kept.update(save());
        return true;
    }

    /** Whether a row that went came in this batch; others went with the group that has expired. */
    private boolean hasCome(byte[] bytes) {
        Integer times = come.computeIfPresent(ByteBuffer.wrap(bytes), (row, left) -> left - 1);
        return times != null && times >= 0;
    }

    /** The group has no rows any more, or none that matter. */
    final void forget() {
        accumulation.forget();
        kept.clear();
    }

    /** The row of a group as it is loaded, or with what was taken. */
    final byte[] result(byte[] key) {
        return output.of(key, accumulation);
    }

    /** Makes the group as it was saved the current one; whether there is any. */
    final boolean load() {
        byte[] saved = kept.get();
        come = saved == null && spec.ttlMillis() > 0 ? new HashMap<>() : null;
        if (saved == null) {
            count = 0;
            accumulation.clear();
            return false;
        }
        return Saved.read(saved, in -> {
            count = in.readLong();
            accumulation.load(in);
            return true;
        });
    }

    private byte[] save() {
        return Saved.of(out -> {
            out.writeLong(count);
            accumulation.save(out);
        });
    }
}
