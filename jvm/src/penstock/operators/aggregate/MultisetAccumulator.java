package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.util.function.ObjLongConsumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import penstock.catalyst.Packed;

/**
 * One of Spark's own functions over rows that may go: all of them are kept, and the result is made
 * anew of those that are left, as a list or a percentile must be anyway.
 */
class MultisetAccumulator extends Accumulator {
    private final Fold fold;
    private final CountMap counts;
    private final int fields;
    private final boolean distinct;

    MultisetAccumulator(Fold fold, CountMap counts, int fields, boolean distinct) {
        this.fold = fold;
        this.counts = counts;
        this.fields = fields;
        this.distinct = distinct;
    }

    @Override
    void clear() {
        counts.clear();
    }

    @Override
    void load(DataInput in) {
        counts.clear();
    }

    @Override
    void save(DataOutput out) {}

    @Override
    void add(InternalRow row) {
        counts.change((UnsafeRow) row, 1);
    }

    @Override
    void retract(InternalRow row) {
        counts.change((UnsafeRow) row, -1);
    }

    @Override
    void settle() {
        counts.settle((value, before, after) -> {});
    }

    @Override
    void forget() {
        counts.forget();
    }

    @Override
    Object result() {
        fold.clear();
        forEach((row, times) -> {
            for (long left = distinct ? 1 : times; left > 0; left--) {
                fold.add(row);
            }
        });
        return fold.result();
    }

    /** Every row that is kept, and how often. */
    final void forEach(ObjLongConsumer<UnsafeRow> told) {
        counts.forEach((value, before, after) -> told.accept(Packed.row(value, fields), after));
    }
}
