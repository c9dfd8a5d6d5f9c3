package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/** VAR_POP and VAR_SAMP: mean and sum of squared distances, moved by each value that comes or goes. */
final class MomentsAccumulator extends Accumulator {
    private final boolean sample;
    private long count;
    private double mean;
    private double squares;

    MomentsAccumulator(boolean sample) {
        this.sample = sample;
    }

    @Override
    void clear() {
        count = 0;
        mean = 0;
        squares = 0;
    }

    @Override
    void load(DataInput in) throws IOException {
        count = in.readLong();
        mean = in.readDouble();
        squares = in.readDouble();
    }

    @Override
    void save(DataOutput out) throws IOException {
        out.writeLong(count);
        out.writeDouble(mean);
        out.writeDouble(squares);
    }

    @Override
    void add(InternalRow row) {
        if (row.isNullAt(0)) {
            return;
        }
        double distance = row.getDouble(0) - mean;
        count++;
        mean += distance / count;
        squares += distance * (row.getDouble(0) - mean);
    }

    @Override
    void retract(InternalRow row) {
        if (row.isNullAt(0)) {
            return;
        }
        if (count == 1) {
            clear();
            return;
        }
        double distance = row.getDouble(0) - mean;
        count--;
        mean -= distance / count;
        squares = Math.max(0, squares - distance * (row.getDouble(0) - mean));
    }

    @Override
    Object result() {
        long freedom = sample ? count - 1 : count;
        return freedom <= 0 ? null : squares / freedom;
    }
}
