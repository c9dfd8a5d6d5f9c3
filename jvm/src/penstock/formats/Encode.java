package penstock.formats;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** {@code (row STRUCT<…>) → BINARY}: the bytes of a row; a null row gives null, a tombstone. */
public final class Encode extends Expression implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Expression row;
    private final Encoding encoding;
    private final Seq<Expression> children;
    private transient volatile Encoder encoder;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public Encode(Expression row, Encoding encoding) {
        this.row = row;
        this.encoding = encoding;
        this.children = CodeWriter.seq(List.of(row));
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
                .text("\nboolean ").code(ev.isNull()).text(" = ").code(input.isNull())
                .text(";\nbyte[] ").code(ev.value()).text(" = ").code(ev.isNull())
                .text(" ? null : " + instance + ".encode(").code(input.value()).text(");\n");
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
        return row.nullable();
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
    public int productArity() {
        return 2;
    }

    @Override
    public Object productElement(int index) {
        return index == 0 ? row : encoding;
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof Encode;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Encode && ((Encode) other).encoding.equals(encoding)
                && ((Encode) other).row.equals(row);
    }

    @Override
    public int hashCode() {
        return 31 * encoding.hashCode() + row.hashCode();
    }
}
