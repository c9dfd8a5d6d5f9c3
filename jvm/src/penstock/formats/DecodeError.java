package penstock.formats;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.ProductExpression;
import scala.collection.immutable.IndexedSeq;

/**
 * {@code (value BINARY) → STRING}: why a message cannot be read, null if it can. It reads the message
 * once more, so that those which can be read carry nothing along for it.
 */
public final class DecodeError extends ProductExpression {
    /** The name of the SQL function. */
    public static final String FUNCTION = "penstock_decode_error";

    private static final long serialVersionUID = 1L;

    private final Expression value;
    private final Decoder decoder;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public DecodeError(Expression value, Decoder decoder) {
        super(value);
        this.value = value;
        this.decoder = decoder;
    }

    /** The reason, and the field where it lies if that is known. */
    public static UTF8String of(Decoder decoder, byte[] message) {
        try {
            decoder.decode(message);
            return null;
        } catch (BadMessageException error) {
            String field = error.getField().isEmpty() ? "" : " (field `" + error.getField() + "`)";
            return UTF8String.fromString(error.getReason() + field);
        }
    }

    @Override
    public Object eval(InternalRow row) {
        byte[] message = (byte[]) value.eval(row);
        return message == null ? null : of(decoder, message);
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        ExprCode message = value.genCode(ctx);
        String instance = ctx.addReferenceObj("decoder", decoder, Decoder.class.getName());
        CodeWriter code = new CodeWriter()
                .code(message.code())
                .text("\nUTF8String ").code(ev.value()).text(" = ").code(message.isNull())
                .text(" ? null : " + DecodeError.class.getName() + ".of(" + instance + ", ")
                .code(message.value())
                .text(");\nboolean ").code(ev.isNull()).text(" = ").code(ev.value())
                .text(" == null;\n");
        return ev.copy(code.block(), ev.isNull(), ev.value());
    }

    @Override
    public DataType dataType() {
        return DataTypes.StringType;
    }

    @Override
    public boolean nullable() {
        return true;
    }

    @Override
    public boolean expensive() {
        return true;
    }

    @Override
    public String prettyName() {
        return FUNCTION;
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return new DecodeError(children.apply(0), decoder);
    }

    @Override
    protected Object[] elements() {
        return new Object[] {value, decoder};
    }
}
