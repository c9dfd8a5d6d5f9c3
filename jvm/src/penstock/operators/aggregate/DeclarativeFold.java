package penstock.operators.aggregate;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Packed;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A function that Spark says in expressions over a buffer: what it begins with, adds and gives. */
final class DeclarativeFold implements Fold {
    private final int width;
    private final UnsafeProjection initial;
    private final UnsafeProjection update;
    private final UnsafeProjection evaluate;
    private final org.apache.spark.sql.types.DataType type;
    private final JoinedRow joined = new JoinedRow();
    private UnsafeRow buffer;

    DeclarativeFold(DeclarativeAggregate function, Seq<AttributeReference> arguments) {
        List<Attribute> inputs = new ArrayList<>(
                CollectionConverters.asJava(function.aggBufferAttributes()));
        inputs.addAll(CollectionConverters.asJava(arguments));
        Seq<Attribute> schema = CodeWriter.seq(inputs);
        width = function.aggBufferAttributes().size();
        initial = UnsafeProjection.create(function.initialValues(), schema);
        update = UnsafeProjection.create(function.updateExpressions(), schema);
        evaluate = UnsafeProjection.create(
                CodeWriter.seq(List.<Expression>of(function.evaluateExpression())), schema);
        type = function.dataType();
    }

    @Override
    public void clear() {
        buffer = initial.apply(InternalRow.empty()).copy();
    }

    @Override
    public void add(InternalRow arguments) {
        buffer = update.apply(joined.apply(buffer, arguments)).copy();
    }

    @Override
    public Object result() {
        UnsafeRow result = evaluate.apply(buffer).copy();
        return result.isNullAt(0) ? null : result.get(0, type);
    }

    @Override
    public byte[] save() {
        return Packed.bytes(buffer);
    }

    @Override
    public void load(byte[] saved) {
        buffer = Packed.row(saved, width);
    }
}
