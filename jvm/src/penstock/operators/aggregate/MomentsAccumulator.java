package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** VAR_POP and VAR_SAMP: the sums of values and of their squares, none of which is rounded. */
final class MomentsAccumulator extends Accumulator {
    private final boolean sample;
    private final ExactSum sum = new ExactSum();
    private final ExactSum squares = new ExactSum();
    private long count;

    MomentsAccumulator(boolean sample) {
        this.sample = sample;
    }

    @Override
    void clear() {
        count = 0;
        sum.clear();
        squares.clear();
    }

    @Override
    void load(DataInput in) throws IOException {
        count = in.readLong();
        sum.load(in);
        squares.load(in);
    }

    @Override
    void save(DataOutput out) throws IOException {
        out.writeLong(count);
        sum.save(out);
        squares.save(out);
    }

    @Override
    void add(InternalRow row) {
        change(row, 1);
    }

    @Override
    void retract(InternalRow row) {
        change(row, -1);
    }

    private void change(InternalRow row, int sign) {
        if (!row.isNullAt(0)) {
            count += sign;
            sum.change(row.getDouble(0), sign);
            squares.changeSquare(row.getDouble(0), sign);
        }
    }

    @Override
    Object result() {
        long freedom = sample ? count - 1 : count;
        return freedom <= 0
                ? null : squares.timesLessSquare(count, sum) / ((double) count * freedom);
    }
}
