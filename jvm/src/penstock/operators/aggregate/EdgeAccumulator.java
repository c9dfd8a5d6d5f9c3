package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import penstock.catalyst.Packed;
import penstock.operators.RowDeque;

/** FIRST_VALUE and LAST_VALUE, without NULLs, of rows that go in the order in which they came. */
final class EdgeAccumulator extends Accumulator {
    private final DataType type;
    private final boolean last;
    private final RowDeque values;

    EdgeAccumulator(DataType type, boolean last, RowDeque values) {
        this.type = type;
        this.last = last;
        this.values = values;
    }

    @Override
    void clear() {
        values.clear();
    }

    @Override
    void load(DataInput in) throws IOException {
        values.load(in);
    }

    @Override
    void save(DataOutput out) throws IOException {
        values.save(out);
    }

    @Override
    void add(InternalRow row) {
        if (!row.isNullAt(0)) {
            values.addLast(Packed.bytes((UnsafeRow) row));
        }
    }

    @Override
    void retract(InternalRow row) {
        if (!row.isNullAt(0)) {
            values.pollFirst();
        }
    }

    @Override
    void forget() {
        values.forget();
    }

    @Override
    Object result() {
        byte[] found = last ? values.peekLast() : values.peekFirst();
        return found == null ? null : Packed.row(found, 1).get(0, type);
    }
}
