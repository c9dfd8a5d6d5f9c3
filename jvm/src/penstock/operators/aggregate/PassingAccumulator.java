package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import penstock.catalyst.Packed;
import penstock.operators.RowDeque;

/**
 * One of Spark's own functions over rows that go in the order in which they came: the result is made
 * anew of those that are there, in their order, as a list or a percentile must be anyway.
 */
final class PassingAccumulator extends Accumulator {
    private final Fold fold;
    private final RowDeque kept;
    private final int fields;
    private final boolean distinct;
    // The same rows in memory, once a result was asked for.
    private ArrayDeque<byte[]> read;

    PassingAccumulator(Fold fold, RowDeque kept, int fields, boolean distinct) {
        this.fold = fold;
        this.kept = kept;
        this.fields = fields;
        this.distinct = distinct;
    }

    @Override
    void clear() {
        kept.clear();
        read = null;
    }

    @Override
    void load(DataInput in) throws IOException {
        kept.load(in);
        read = null;
    }

    @Override
    void save(DataOutput out) throws IOException {
        kept.save(out);
    }

    @Override
    void add(InternalRow row) {
        byte[] packed = Packed.bytes((UnsafeRow) row);
        kept.addLast(packed);
        if (read != null) {
            read.addLast(packed);
        }
    }

    @Override
    void retract(InternalRow row) {
        kept.pollFirst();
        if (read != null) {
            read.pollFirst();
        }
    }

    @Override
    void forget() {
        kept.forget();
        read = null;
    }

    @Override
    Object result() {
        if (read == null) {
            read = new ArrayDeque<>();
            kept.forEach(read::addLast);
        }
        fold.clear();
        Set<ByteBuffer> seen = new HashSet<>();
        for (byte[] packed : read) {
            UnsafeRow row = Packed.row(packed, fields);
            if (!distinct || (!row.anyNull() && seen.add(ByteBuffer.wrap(packed)))) {
                fold.add(row);
            }
        }
        return fold.result();
    }
}
