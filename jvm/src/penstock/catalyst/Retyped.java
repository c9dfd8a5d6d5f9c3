package penstock.catalyst;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * {@code penstock_retyped(value, type)}: the same value under another type that Spark keeps in the
 * same way, such as a TIME as the BIGINT of its nanoseconds, also inside of arrays, maps and rows.
 *
 * <p>The state of {@code transformWithState} has no TIME; it is a number there.
 */
public final class Retyped extends ProductExpression {
    private static final long serialVersionUID = 1L;
    private static final String NAME = "penstock_retyped";

    private final Expression child;
    private final DataType type;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public Retyped(Expression child, DataType type) {
        this.child = child;
        this.type = type;
    }

    /** Registers the function as a temporary function of a session. */
    public static void register(SparkSession session) {
        session.sessionState().functionRegistry().createOrReplaceTempFunction(NAME,
                new AbstractFunction1<Seq<Expression>, Expression>() {
                    @Override
                    public Expression apply(Seq<Expression> arguments) {
                        String json = arguments.apply(1).eval(null).toString();
                        return new Retyped(arguments.apply(0), DataType.fromJson(json));
                    }
                }, "scala_udf");
    }

    @Override
    public Object eval(InternalRow input) {
        return child.eval(input);
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        return child.genCode(ctx);
    }

    @Override
    public DataType dataType() {
        return type;
    }

    @Override
    public boolean nullable() {
        return child.nullable();
    }

    @Override
    public String prettyName() {
        return NAME;
    }

    @Override
    public Seq<Expression> children() {
        return seq(child);
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return new Retyped(children.apply(0), type);
    }

    @Override
    protected Object[] elements() {
        return new Object[] {child, type};
    }
}
