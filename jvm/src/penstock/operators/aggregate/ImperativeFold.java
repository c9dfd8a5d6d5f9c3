package penstock.operators.aggregate;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.types.StructType;
import penstock.catalyst.Packed;

/** A function that writes into a buffer of plain columns, such as an estimate of a count. */
final class ImperativeFold implements Fold {
    private final ImperativeAggregate function;
    private final StructType schema;
    private final UnsafeProjection pack;
    private final InternalRow buffer;

    ImperativeFold(ImperativeAggregate function) {
        this.function = function;
        schema = function.aggBufferSchema();
        pack = UnsafeProjection.create(schema);
        buffer = new SpecificInternalRow(schema);
    }

    @Override
    public void clear() {
        function.initialize(buffer);
    }

    @Override
    public void add(InternalRow arguments) {
        function.update(buffer, arguments);
    }

    @Override
    public Object result() {
        return function.eval(buffer);
    }

    @Override
    public byte[] save() {
        return Packed.bytes(pack.apply(buffer));
    }

    @Override
    public void load(byte[] saved) {
        InternalRow row = Packed.row(saved, schema.length());
        for (int i = 0; i < schema.length(); i++) {
            buffer.update(i, row.get(i, schema.apply(i).dataType()));
        }
    }
}
