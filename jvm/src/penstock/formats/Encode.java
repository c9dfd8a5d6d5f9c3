package penstock.formats;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.ProductExpression;
import scala.collection.immutable.IndexedSeq;

/**
 * {@code (row STRUCT<…>) → BINARY}: the bytes of a row; a null row gives null, a tombstone. A format
 * that can write several rows as one message takes an {@code ARRAY<STRUCT<…>>} too.
 */
public final class Encode extends ProductExpression {
    private static final long serialVersionUID = 1L;

    private final Expression row;
    private final Encoding encoding;
    private transient volatile Encoder encoder;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public Encode(Expression row, Encoding encoding) {
        super(row);
        this.row = row;
        this.encoding = encoding;
    }

    private boolean isArray() {
        return row.dataType() instanceof ArrayType;
    }

    /** The type of a row, null if the argument is something else. */
    private StructType rowType() {
        DataType type = isArray() ? ((ArrayType) row.dataType()).elementType() : row.dataType();
        return type instanceof StructType struct ? struct : null;
    }

    private Encoder encoder() {
        Encoder current = encoder;
        if (current == null) {
            current = encoding.encoder(rowType());
            encoder = current;
        }
        return current;
    }

    @Override
    public Object eval(InternalRow input) {
        Object value = row.eval(input);
        if (value == null) {
            return null;
        }
        return isArray() ? ((RowsEncoder) encoder()).encodeAll((ArrayData) value)
                : encoder().encode((InternalRow) value);
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        ExprCode input = row.genCode(ctx);
        Class<?> type = isArray() ? RowsEncoder.class : Encoder.class;
        String instance = ctx.addReferenceObj("encoder", encoder(), type.getName());
        CodeWriter code = new CodeWriter()
                .code(input.code())
                .text("\nbyte[] ").code(ev.value()).text(" = ").code(input.isNull())
                .text(" ? null : " + instance + (isArray() ? ".encodeAll(" : ".encode("))
                .code(input.value())
                .text(");\nboolean ").code(ev.isNull()).text(" = ").code(ev.value())
                .text(" == null;\n");
        return ev.copy(code.block(), ev.isNull(), ev.value());
    }

    @Override
    public TypeCheckResult checkInputDataTypes() {
        if (rowType() == null) {
            return new TypeCheckResult.TypeCheckFailure(prettyName() + " takes (STRUCT, options)");
        }
        try {
            if (isArray() && !(encoder() instanceof RowsEncoder)) {
                return new TypeCheckResult.TypeCheckFailure(
                        prettyName() + " writes one row as a message");
            }
            encoder();
            return TypeCheckResult.TypeCheckSuccess$.MODULE$;
        } catch (IllegalArgumentException e) {
            return new TypeCheckResult.TypeCheckFailure(e.getMessage());
        }
    }

    @Override
    public DataType dataType() {
        return DataTypes.BinaryType;
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
    public boolean throwable() {
        return true;
    }

    @Override
    public String prettyName() {
        return encoding.function();
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return new Encode(children.apply(0), encoding);
    }

    @Override
    protected Object[] elements() {
        return new Object[] {row, encoding};
    }
}
