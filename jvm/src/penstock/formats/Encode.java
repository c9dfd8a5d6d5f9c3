package penstock.formats;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import penstock.catalyst.ProductExpression;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** {@code (row STRUCT<…>) → BINARY}: the bytes of a row; a null row gives null, a tombstone. */
public final class Encode extends ProductExpression {
    private static final long serialVersionUID = 1L;

    private final Expression row;
    private final Encoding encoding;
    private final Seq<Expression> children;
    private transient volatile Encoder encoder;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public Encode(Expression row, Encoding encoding) {
        this.row = row;
        this.encoding = encoding;
        this.children = seq(row);
    }

    private Encoder encoder() {
        Encoder current = encoder;
        if (current == null) {
            current = encoding.encoder((StructType) row.dataType());
            encoder = current;
        }
        return current;
    }

    @Override
    public Object eval(InternalRow input) {
        InternalRow value = (InternalRow) row.eval(input);
        return value == null ? null : encoder().encode(value);
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        ExprCode input = row.genCode(ctx);
        String instance = ctx.addReferenceObj("encoder", encoder(), Encoder.class.getName());
        CodeWriter code = new CodeWriter()
                .code(input.code())
                .text("\nbyte[] ").code(ev.value()).text(" = ").code(input.isNull())
                .text(" ? null : " + instance + ".encode(").code(input.value())
                .text(");\nboolean ").code(ev.isNull()).text(" = ").code(ev.value())
                .text(" == null;\n");
        return ev.copy(code.block(), ev.isNull(), ev.value());
    }

    @Override
    public TypeCheckResult checkInputDataTypes() {
        if (!(row.dataType() instanceof StructType)) {
            return new TypeCheckResult.TypeCheckFailure(prettyName() + " takes (STRUCT, options)");
        }
        try {
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
    public Seq<Expression> children() {
        return children;
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
