package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** COUNT of the rows whose arguments are all there. */
final class CountAccumulator extends Accumulator {
    private final int arguments;
    private long count;

    CountAccumulator(int arguments) {
        this.arguments = arguments;
    }

    @Override
    void clear() {
        count = 0;
    }

    @Override
    void load(DataInput in) throws IOException {
        count = in.readLong();
    }

    @Override
    void save(DataOutput out) throws IOException {
        out.writeLong(count);
    }

    @Override
    void add(InternalRow row) {
        count += counts(row);
    }

    @Override
    void retract(InternalRow row) {
        count -= counts(row);
    }

    private int counts(InternalRow row) {
        for (int i = 0; i < arguments; i++) {
            if (row.isNullAt(i)) {
                return 0;
            }
        }
        return 1;
    }

    @Override
    Object result() {
        return count;
    }
}
