package penstock.operators.over;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Packed;
import penstock.operators.Saved;

/** LAG: a value of some row before, of which only as many are kept as it looks back. */
final class Lag {
    /**
     * A call of LAG.
     *
     * @param value where its value stands among the inputs
     * @param otherwise where stands what it gives if there is no such row
     * @param offset how many rows it looks back
     * @param type that of the value
     */
    record Spec(int value, int otherwise, int offset, DataType type) implements Serializable {}

    private final Spec spec;
    private final UnsafeProjection value;
    private final UnsafeProjection otherwise;
    private final ArrayDeque<byte[]> values = new ArrayDeque<>();
    private byte[] absent;

    Lag(Spec spec) {
        this.spec = spec;
        value = column(spec.value());
        otherwise = column(spec.otherwise());
    }

    private UnsafeProjection column(int place) {
        return UnsafeProjection.create(
                CodeWriter.seq(List.of(new BoundReference(place, spec.type(), true))));
    }

    void clear() {
        values.clear();
        absent = null;
    }

    void load(DataInput in) throws IOException {
        clear();
        for (int left = in.readInt(); left > 0; left--) {
            values.add(Saved.bytes(in));
        }
    }

    void save(DataOutput out) throws IOException {
        out.writeInt(values.size());
        for (byte[] packed : values) {
            Saved.putBytes(out, packed);
        }
    }

    void add(UnsafeRow inputs) {
        values.add(Packed.bytes(value.apply(inputs)));
        if (values.size() > spec.offset() + 1) {
            values.removeFirst();
        }
        absent = Packed.bytes(otherwise.apply(inputs));
    }

    Object result() {
        byte[] found = values.size() > spec.offset() ? values.getFirst() : absent;
        return found == null ? null : Packed.row(found, 1).get(0, spec.type());
    }
}
