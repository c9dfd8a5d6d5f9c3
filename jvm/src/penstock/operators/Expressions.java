package penstock.operators;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.CommonExpressionId;
import org.apache.spark.sql.catalyst.expressions.CommonExpressionRef;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.With;
import org.apache.spark.sql.catalyst.optimizer.ReplaceExpressions;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.runtime.AbstractPartialFunction;

/** Expressions that Spark has analyzed, made ready to be evaluated without its optimizer. */
public final class Expressions {
    private Expressions() {}

    /** The plan of a query, with functions that stand for others replaced by them. */
    public static LogicalPlan analyzed(Dataset<Row> query) {
        var classic = (org.apache.spark.sql.classic.Dataset<Row>) query;
        return ReplaceExpressions.apply(classic.queryExecution().analyzed());
    }

    /** An expression with every part that it names for itself written out. */
    public static Expression inlined(Expression tree) {
        return replaced(tree, With.class, with -> {
            Map<CommonExpressionId, Expression> meanings = new LinkedHashMap<>();
            with.defs().foreach(def -> meanings.put(def.id(), def.child()));
            return replaced(with.child(), CommonExpressionRef.class,
                    ref -> meanings.getOrDefault(ref.id(), ref));
        });
    }

    /** A tree with others in place of all nodes of a kind. */
    public static <T extends Expression> Expression replaced(
            Expression tree, Class<T> kind, Function<T, Expression> replacement) {
        return tree.transformUp(new AbstractPartialFunction<Expression, Expression>() {
            @Override
            public boolean isDefinedAt(Expression node) {
                return kind.isInstance(node);
            }

            @Override
            public Expression apply(Expression node) {
                return replacement.apply(kind.cast(node));
            }
        });
    }
}
