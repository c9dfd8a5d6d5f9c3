package penstock.formats;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.ProductExpression;
import scala.collection.immutable.IndexedSeq;

/**
 * {@code (value BINARY, topic STRING, partition INT, offset BIGINT) → ARRAY<STRUCT<…>>}: the rows of
 * a Kafka message, null if it has none; {@link Failures} says which a bad one has. The place of the
 * message is evaluated for errors only.
 */
public final class Decode extends ProductExpression {
    private static final long serialVersionUID = 1L;

    private final Expression value;
    private final Decoder decoder;
    private final Failures failures;
    private final Expression topic;
    private final Expression partition;
    private final Expression offset;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public Decode(Expression value, Decoder decoder, Failures failures, Expression topic,
            Expression partition, Expression offset) {
        super(value, topic, partition, offset);
        this.value = value;
        this.decoder = decoder;
        this.failures = failures;
        this.topic = topic;
        this.partition = partition;
        this.offset = offset;
    }

    @Override
    public Object eval(InternalRow row) {
        byte[] message = (byte[]) value.eval(row);
        try {
            return message == null ? decoder.decodeNull() : decoder.decode(message);
        } catch (BadMessageException e) {
            return failures.rows(
                    e.at(topic.eval(row), (Integer) partition.eval(row), (Long) offset.eval(row)));
        }
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        ExprCode message = value.genCode(ctx);
        String instance = ctx.addReferenceObj("decoder", decoder, Decoder.class.getName());
        String policy = ctx.addReferenceObj("failures", failures, Failures.class.getName());
        String error = ctx.freshName("error");
        CodeWriter code = new CodeWriter()
                .code(message.code())
                .text("\nArrayData ").code(ev.value()).text(" = null;\ntry {\n  ")
                .code(ev.value()).text(" = ").code(message.isNull())
                .text(" ? " + instance + ".decodeNull() : " + instance + ".decode(")
                .code(message.value())
                .text(");\n} catch (" + BadMessageException.class.getName() + " " + error)
                .text(") {\n");
        ExprCode topicCode = place(ctx, code, topic);
        ExprCode partitionCode = place(ctx, code, partition);
        ExprCode offsetCode = place(ctx, code, offset);
        code.text("  ").code(ev.value()).text(" = " + policy + ".rows(" + error + ".at(");
        orNull(code, topicCode, "Object").text(", ");
        orNull(code, partitionCode, "Integer").text(", ");
        orNull(code, offsetCode, "Long").text("));\n}\nboolean ")
                .code(ev.isNull()).text(" = ").code(ev.value()).text(" == null;\n");
        return ev.copy(code.block(), ev.isNull(), ev.value());
    }

    private static ExprCode place(CodegenContext ctx, CodeWriter code, Expression part) {
        ExprCode evaluated = part.genCode(ctx);
        code.code(evaluated.code()).text("\n");
        return evaluated;
    }

    private static CodeWriter orNull(CodeWriter code, ExprCode part, String type) {
        return code.code(part.isNull()).text(" ? (" + type + ") null : (" + type + ") (")
                .code(part.value()).text(")");
    }

    @Override
    public TypeCheckResult checkInputDataTypes() {
        if (value.dataType().equals(DataTypes.BinaryType)
                && topic.dataType().equals(DataTypes.StringType)
                && partition.dataType().equals(DataTypes.IntegerType)
                && offset.dataType().equals(DataTypes.LongType)) {
            return TypeCheckResult.TypeCheckSuccess$.MODULE$;
        }
        return new TypeCheckResult.TypeCheckFailure(
                prettyName() + " takes (BINARY, schema, options, STRING, INT, BIGINT)");
    }

    @Override
    public DataType dataType() {
        return new ArrayType(decoder.schema(), failures.giveRows());
    }

    @Override
    public boolean nullable() {
        return true;
    }

    /** Keeps Spark from decoding twice, once for a filter and once for the columns. */
    @Override
    public boolean expensive() {
        return true;
    }

    @Override
    public boolean throwable() {
        return true;
    }

    @Override
    public String prettyName() {
        return decoder.function();
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return new Decode(children.apply(0), decoder, failures, children.apply(1),
                children.apply(2), children.apply(3));
    }

    @Override
    protected Object[] elements() {
        return new Object[] {value, decoder, failures, topic, partition, offset};
    }
}
