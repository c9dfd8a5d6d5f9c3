package penstock.catalyst;

import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/** A function without arguments: a number that only a running task can tell. */
public abstract class TaskNumber extends ProductExpression {
    private static final long serialVersionUID = 1L;

    private final String name;
    private transient TaskContext task;

    TaskNumber(String name) {
        this.name = name;
    }

    /** Registers all of them as temporary functions of a session. */
    public static void register(SparkSession session) {
        register(session, BatchNumber.NAME);
        register(session, RowNumber.NAME);
    }

    private static void register(SparkSession session, String name) {
        session.sessionState().functionRegistry().createOrReplaceTempFunction(name,
                new AbstractFunction1<Seq<Expression>, Expression>() {
                    @Override
                    public Expression apply(Seq<Expression> arguments) {
                        return name.equals(RowNumber.NAME) ? new RowNumber() : new BatchNumber();
                    }
                }, "scala_udf");
    }

    /** The number for the next row of the task that runs in this thread. */
    public final long next() {
        TaskContext running = TaskContext.get();
        if (running != task) {
            task = running;
            begin(running);
        }
        return number();
    }

    /** Another task begins, or none at all: null. */
    abstract void begin(TaskContext running);

    /** The number for its next row; without a task the first is 0. */
    abstract long number();

    @Override
    public final Object eval(InternalRow input) {
        return next();
    }

    @Override
    public final ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
        String self = ctx.addReferenceObj("number", this, TaskNumber.class.getName());
        CodeWriter code = new CodeWriter()
                .text("\nlong ").code(ev.value()).text(" = " + self + ".next();\n");
        return ev.copy(code.block(), CodeWriter.NEVER, ev.value());
    }

    @Override
    public final DataType dataType() {
        return DataTypes.LongType;
    }

    @Override
    public final boolean nullable() {
        return false;
    }

    @Override
    public final boolean foldable() {
        return false;
    }

    @Override
    public final String prettyName() {
        return name;
    }

    @Override
    public final Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
        return this;
    }

    @Override
    protected final Object[] elements() {
        return new Object[0];
    }
}
