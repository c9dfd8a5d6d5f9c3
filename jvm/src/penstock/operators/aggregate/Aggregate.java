package penstock.operators.aggregate;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Packed;
import penstock.operators.Changes;
import penstock.operators.RowKind;
import penstock.operators.Saved;
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
    private transient Accumulator[] accumulators;
    private transient UnsafeProjection[] arguments;
    private transient UnsafeProjection output;
    private transient Object[] results;
    private transient JoinedRow joined;
    private transient int maps;
    private transient long count;

    Aggregate(AggregateSpec spec) {
        this.spec = spec;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        kept = getHandle().getValueState(STATE, Encoders.BINARY(), Changes.ttl(spec.ttlMillis()));
        int calls = spec.calls().size();
        accumulators = new Accumulator[calls];
        arguments = new UnsafeProjection[calls];
        for (int i = 0; i < calls; i++) {
            Call call = spec.calls().get(i);
            accumulators[i] = Accumulators.of(call, spec.retracts(), this::openMap);
            arguments[i] = arguments(call);
        }
        output = UnsafeProjection.create(CodeWriter.seq(spec.output()));
        results = new Object[calls];
        joined = new JoinedRow();
    }

    private CountMap openMap() {
        return new CountMap(getHandle().getMapState(
                "values" + maps++, Encoders.BINARY(), Encoders.LONG(),
                Changes.ttl(spec.ttlMillis())));
    }

    private static UnsafeProjection arguments(Call call) {
        List<Expression> found = new ArrayList<>();
        for (int i = 0; i < call.inputs().length; i++) {
            found.add(new BoundReference(call.inputs()[i], call.type(i), true));
        }
        return UnsafeProjection.create(CodeWriter.seq(found));
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
                apply(bytes, true);
                count++;
            } else {
                gone.add(bytes);
                count--;
            }
        }
        for (byte[] bytes : gone) {
            apply(bytes, false);
        }
        if (count <= 0) {
            forget();
            return false;
        }
        for (Accumulator accumulator : accumulators) {
            accumulator.settle();
        }
        kept.update(save());
        return true;
    }

    /** The group has no rows any more, or none that matter. */
    final void forget() {
        for (Accumulator accumulator : accumulators) {
            accumulator.forget();
        }
        kept.clear();
    }

    private void apply(byte[] bytes, boolean add) {
        UnsafeRow row = Packed.row(bytes, spec.inputs());
        for (int i = 0; i < accumulators.length; i++) {
            int filter = spec.calls().get(i).filter();
            if (filter < 0 || (!row.isNullAt(filter) && row.getBoolean(filter))) {
                UnsafeRow values = arguments[i].apply(row);
                if (add) {
                    accumulators[i].add(values);
                } else {
                    accumulators[i].retract(values);
                }
            }
        }
    }

    /** The row of a group as it is loaded, or with what was taken. */
    final byte[] result(byte[] key) {
        for (int i = 0; i < results.length; i++) {
            results[i] = accumulators[i].result();
        }
        UnsafeRow keys = Packed.row(key, spec.keys());
        return Packed.bytes(output.apply(joined.apply(keys, new GenericInternalRow(results))));
    }

    /** Makes the group as it was saved the current one; whether there is any. */
    final boolean load() {
        byte[] saved = kept.get();
        if (saved == null) {
            count = 0;
            for (Accumulator accumulator : accumulators) {
                accumulator.clear();
            }
            return false;
        }
        return Saved.read(saved, in -> {
            count = in.readLong();
            for (Accumulator accumulator : accumulators) {
                accumulator.load(in);
            }
            return true;
        });
    }

    private byte[] save() {
        return Saved.of(out -> {
            out.writeLong(count);
            for (Accumulator accumulator : accumulators) {
                accumulator.save(out);
            }
        });
    }
}
