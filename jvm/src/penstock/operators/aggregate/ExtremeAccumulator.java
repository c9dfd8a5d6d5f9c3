package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.DataType;
import penstock.catalyst.Packed;
import penstock.operators.Saved;
import scala.math.Ordering;

/**
 * MIN and MAX of values that may go again.
 *
 * <p>The state has an entry for each value; with the group the best of them are kept, so that one
 * that goes is followed by the next without a look at all. Only when as many went as were kept
 * are the entries read again.
 */
final class ExtremeAccumulator extends Accumulator {
    private static final int KEPT = 32;

    private final DataType type;
    private final CountMap counts;
    private final TreeSet<byte[]> best;
    // Whether no value of the state is missing among the best.
    private boolean complete;

    ExtremeAccumulator(DataType type, boolean largest, CountMap counts) {
        this.type = type;
        this.counts = counts;
        Ordering<Object> ordering = TypeUtils.getInterpretedOrdering(type);
        Ordering<Object> order = largest ? ordering.reverse() : ordering;
        // 0.0 and -0.0 are of one rank, but come and go by themselves.
        this.best = new TreeSet<>(Comparator.<byte[], Object>comparing(this::value, order)
                .thenComparing(Arrays::compare));
    }

    private Object value(byte[] bytes) {
        return Packed.row(bytes, 1).get(0, type);
    }

    @Override
    void clear() {
        best.clear();
        complete = true;
        counts.clear();
    }

    @Override
    void load(DataInput in) throws IOException {
        clear();
        complete = in.readBoolean();
        for (int left = in.readInt(); left > 0; left--) {
            best.add(Saved.bytes(in));
        }
    }

    @Override
    void save(DataOutput out) throws IOException {
        out.writeBoolean(complete);
        out.writeInt(best.size());
        for (byte[] bytes : best) {
            Saved.putBytes(out, bytes);
        }
    }

    @Override
    void add(InternalRow row) {
        if (!row.isNullAt(0)) {
            counts.change((UnsafeRow) row, 1);
        }
    }

    @Override
    void retract(InternalRow row) {
        if (!row.isNullAt(0)) {
            counts.change((UnsafeRow) row, -1);
        }
    }

    @Override
    void settle() {
        List<byte[]> come = new ArrayList<>();
        counts.settle((value, before, after) -> {
            if (after == 0) {
                best.remove(value);
            } else if (before == 0) {
                come.add(value);
            }
        });
        for (byte[] value : come) {
            if (complete || isAmongBest(value)) {
                keep(value);
            }
        }
        if (best.isEmpty() && !complete) {
            complete = true;
            counts.forEach((value, before, after) -> keep(value));
        }
    }

    private boolean isAmongBest(byte[] value) {
        return !best.isEmpty() && best.comparator().compare(value, best.last()) < 0;
    }

    private void keep(byte[] value) {
        best.add(value);
        if (best.size() > KEPT) {
            best.pollLast();
            complete = false;
        }
    }

    @Override
    void forget() {
        counts.forget();
    }

    @Override
    Object result() {
        return best.isEmpty() ? null : value(best.first());
    }
}
