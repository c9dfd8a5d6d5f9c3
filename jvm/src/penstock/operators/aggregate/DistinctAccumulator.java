package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import penstock.catalyst.Packed;

/** An aggregate of distinct values: each counts from its first row on until its last one goes. */
final class DistinctAccumulator extends Accumulator {
    private final Accumulator inner;
    private final CountMap counts;
    private final int fields;

    DistinctAccumulator(Accumulator inner, CountMap counts, int fields) {
        this.inner = inner;
        this.counts = counts;
        this.fields = fields;
    }

    @Override
    void clear() {
        inner.clear();
        counts.clear();
    }

    @Override
    void load(DataInput in) throws IOException {
        counts.clear();
        inner.load(in);
    }

    @Override
    void save(DataOutput out) throws IOException {
        inner.save(out);
    }

    @Override
    void add(InternalRow row) {
        if (!row.anyNull()) {
            counts.change((UnsafeRow) row, 1);
        }
    }

    @Override
    void retract(InternalRow row) {
        if (!row.anyNull()) {
            counts.change((UnsafeRow) row, -1);
        }
    }

    @Override
    void settle() {
        List<byte[]> gone = new ArrayList<>();
        counts.settle((value, before, after) -> {
            if (before == 0 && after > 0) {
                inner.add(Packed.row(value, fields));
            } else if (before > 0 && after == 0) {
                gone.add(value);
            }
        });
        for (byte[] value : gone) {
            inner.retract(Packed.row(value, fields));
        }
        inner.settle();
    }

    @Override
    void forget() {
        counts.forget();
        inner.forget();
    }

    @Override
    Object result() {
        return inner.result();
    }
}
