package penstock.operators.aggregate;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;

/** A function whose buffer is an object of Spark's own, such as a list of values. */
final class TypedFold<T> implements Fold {
    private final TypedImperativeAggregate<T> function;
    private T buffer;

    TypedFold(TypedImperativeAggregate<T> function) {
        this.function = function;
    }

    @Override
    public void clear() {
        buffer = function.createAggregationBuffer();
    }

    @Override
    public void add(InternalRow arguments) {
        buffer = function.update(buffer, arguments);
    }

    @Override
    public Object result() {
        return function.eval(buffer);
    }

    @Override
    public byte[] save() {
        return function.serialize(buffer);
    }

    @Override
    public void load(byte[] saved) {
        buffer = function.deserialize(saved);
    }
}
