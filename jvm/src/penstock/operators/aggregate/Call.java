package penstock.operators.aggregate;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.types.DataType;
import penstock.catalyst.CodeWriter;

/**
 * One aggregate call.
 *
 * @param function Spark's function, with the children it was analyzed with
 * @param inputs where its arguments stand among those of all calls; literals have no place
 * @param filter where its FILTER stands, -1 without one
 * @param distinct whether it is of distinct values
 */
public record Call(AggregateFunction function, int[] inputs, int filter, boolean distinct)
        implements Serializable {
    /** The arguments that differ from row to row. */
    List<Expression> arguments() {
        List<Expression> found = new ArrayList<>();
        function.children().foreach(child -> child.foldable() || found.add(child));
        return found;
    }

    DataType type(int argument) {
        return arguments().get(argument).dataType();
    }

    /** The function over other arguments: those by which it is evaluated. */
    AggregateFunction over(List<? extends Expression> others) {
        List<Expression> children = new ArrayList<>();
        function.children().foreach(child -> children.add(
                child.foldable() ? child : others.get(place(child))));
        return (AggregateFunction) function.withNewChildren(CodeWriter.seq(children));
    }

    private int place(Expression argument) {
        List<Expression> arguments = arguments();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i) == argument) {
                return i;
            }
        }
        throw new IllegalStateException("no argument: " + argument);
    }
}
