package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import penstock.operators.Saved;

/** One of Spark's own functions over rows that never go. */
final class FoldAccumulator extends Accumulator {
    private final Fold fold;

    FoldAccumulator(Fold fold) {
        this.fold = fold;
    }

    @Override
    void clear() {
        fold.clear();
    }

    @Override
    void load(DataInput in) throws IOException {
        fold.load(Saved.bytes(in));
    }

    @Override
    void save(DataOutput out) throws IOException {
        Saved.putBytes(out, fold.save());
    }

    @Override
    void add(InternalRow row) {
        fold.add(row);
    }

    @Override
    void retract(InternalRow row) {
        throw new IllegalStateException("rows of this input never go");
    }

    @Override
    Object result() {
        return fold.result();
    }
}
