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
 * {@code penstock_after_watermark(rowtime, condition)}: the condition, kept above the watermark.
 *
 * <p>Spark moves a filter below the watermark unless it names the event-time column, and rows that
 * do not pass then no longer move the watermark on. Naming the column here keeps the filter where
 * the script has it; evaluating it costs nothing.
 */
public final class AfterWatermark extends ProductExpression {
    private static final long serialVersionUID = 1L;
    private static final String NAME = "penstock_after_watermark";

    private final Expression rowtime;
    private final Expression condition;

    /** The parameters are the elements of this product, in order: Spark copies nodes that way. */
    public AfterWatermark(Expression rowtime, Expression condition) {
        super(rowtime, condition);
        this.rowtime = rowtime;
        this.condition = condition;
    }

    /** Registers the function as a temporary function of a session. */
    public static void register(SparkSession session) {
        session.sessionState().functionRegistry().createOrReplaceTempFunction(NAME,
                new AbstractFunction1<Seq<Expression>, Expression>() {
                    @Override
                    public Expression apply(Seq<Expression> arguments) {
                        return new AfterWatermark(arguments.apply(0), arguments.apply(1));
                    }
                }, "scala_udf");
    }

    @Override
    public Object eval(InternalRow input) {
        return condition.eval(input);
    }

    @Override
    public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        return condition.genCode(ctx);
    }

    @Override
    public DataType dataType() {
        return condition.dataType();
    }

    @Override
    public boolean nullable() {
        return condition.nullable();
    }

    @Override
    public String prettyName() {
        return NAME;
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return new AfterWatermark(children.apply(0), children.apply(1));
    }

    @Override
    protected Object[] elements() {
        return new Object[] {rowtime, condition};
    }
}
