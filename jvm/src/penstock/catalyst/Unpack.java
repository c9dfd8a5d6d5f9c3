package penstock.catalyst;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/** {@code penstock_unpack(bytes, type)}: the row that {@link Pack} made bytes of, as a STRUCT. */
public final class Unpack extends ProductExpression {
    private static final long serialVersionUID = 1L;
    private static final String NAME = "penstock_unpack";

    private final Expression bytes;
    private final StructType type;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public Unpack(Expression bytes, StructType type) {
        super(bytes);
        this.bytes = bytes;
        this.type = type;
    }

    /** Registers the function as a temporary function of a session. */
    public static void register(SparkSession session) {
        session.sessionState().functionRegistry().createOrReplaceTempFunction(NAME,
                new AbstractFunction1<Seq<Expression>, Expression>() {
                    @Override
                    public Expression apply(Seq<Expression> arguments) {
                        String json = arguments.apply(1).eval(null).toString();
                        return new Unpack(
                                arguments.apply(0), (StructType) DataType.fromJson(json));
                    }
                }, "scala_udf");
    }

    @Override
    public Object eval(InternalRow input) {
        return Packed.row((byte[]) bytes.eval(input), type.length());
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        ExprCode child = bytes.genCode(ctx);
        CodeWriter code = new CodeWriter()
                .code(child.code())
                .text("\nUnsafeRow ").code(ev.value())
                .text(" = " + Packed.class.getName() + ".row(").code(child.value())
                .text(", " + type.length() + ");\n");
        return ev.copy(code.block(), CodeWriter.NEVER, ev.value());
    }

    @Override
    public DataType dataType() {
        return type;
    }

    @Override
    public boolean nullable() {
        return false;
    }

    @Override
    public String prettyName() {
        return NAME;
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return new Unpack(children.apply(0), type);
    }

    @Override
    protected Object[] elements() {
        return new Object[] {bytes, type};
    }
}
