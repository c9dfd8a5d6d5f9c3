package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.DataType;
import penstock.catalyst.Packed;
import penstock.operators.RowDeque;
import scala.math.Ordering;

/**
 * MIN and MAX of values that go in the order in which they came.
 *
 * <p>A value behind which a better one came is never the result again: only those are kept that no
 * later one beats, the best of them first.
 */
final class SlidingExtreme extends Accumulator {
    private final DataType type;
    private final Ordering<Object> order;
    private final RowDeque best;
    private long come;
    private long gone;

    SlidingExtreme(DataType type, boolean largest, RowDeque best) {
        this.type = type;
        this.best = best;
        Ordering<Object> ordering = TypeUtils.getInterpretedOrdering(type);
        this.order = largest ? ordering.reverse() : ordering;
    }

    /** The number of the row a value came with stands before it. */
    private static long number(byte[] entry) {
        return ByteBuffer.wrap(entry).getLong();
    }

    private Object value(byte[] entry) {
        return Packed.row(Arrays.copyOfRange(entry, Long.BYTES, entry.length), 1).get(0, type);
    }

    @Override
    void clear() {
        come = 0;
        gone = 0;
        best.clear();
    }

    @Override
    void load(DataInput in) throws IOException {
        come = in.readLong();
        gone = in.readLong();
        best.load(in);
    }

    @Override
    void save(DataOutput out) throws IOException {
        out.writeLong(come);
        out.writeLong(gone);
        best.save(out);
    }

    @Override
    void add(InternalRow row) {
        if (row.isNullAt(0)) {
            return;
        }
        byte[] packed = Packed.bytes((UnsafeRow) row);
        Object added = Packed.row(packed, 1).get(0, type);
        while (best.size() > 0 && order.compare(value(best.peekLast()), added) >= 0) {
            best.pollLast();
        }
        best.addLast(ByteBuffer.allocate(Long.BYTES + packed.length)
                .putLong(come++).put(packed).array());
    }

    @Override
    void retract(InternalRow row) {
        if (!row.isNullAt(0) && number(best.peekFirst()) == gone++) {
            best.pollFirst();
        }
    }

    @Override
    void forget() {
        best.forget();
    }

    @Override
    Object result() {
        return best.size() == 0 ? null : value(best.peekFirst());
    }
}
