package penstock.operators.aggregate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Pack;
import penstock.operators.Changes;
import penstock.operators.Expressions;
import scala.collection.immutable.Seq;

/**
 * GROUP BY in Spark SQL → the operator that keeps its groups.
 *
 * <p>Spark analyzes the query as if it were one of its own, so that names, types and the meaning of
 * every function are Spark's; the calls found in it are then computed by {@link Aggregate}.
 */
public final class Aggregation {
    private final Dataset<Row> input;
    private final org.apache.spark.sql.catalyst.plans.logical.Aggregate plan;
    private final Calls calls = new Calls();

    private Aggregation(Dataset<Row> input, Dataset<Row> grouped) {
        this.input = input;
        this.plan = (org.apache.spark.sql.catalyst.plans.logical.Aggregate)
                Expressions.analyzed(grouped);
    }

    /**
     * The changes of the groups of a changelog: the columns of the keys, those of the aggregates, and
     * the row kind. Without aggregates each group is there while it has a row. With {@code until},
     * the end of the window in microseconds, each is told once, when that has passed.
     */
    public static Dataset<Row> apply(Dataset<Row> input, List<String> keys, List<String> keyNames,
            List<String> aggregates, List<String> names, String kind, String until,
            boolean updateBefore, long ttlMillis) {
        List<String> asked = aggregates.isEmpty() ? List.of("count(*)") : aggregates;
        List<String> called = aggregates.isEmpty() ? List.of("__count") : names;
        Column[] made = columns(asked, called);
        Column[] rest = Arrays.copyOfRange(made, 1, made.length);
        Dataset<Row> grouped = input.groupBy(columns(keys, keyNames)).agg(made[0], rest);
        return new Aggregation(input, grouped)
                .transformed(keys.size(), aggregates.size(), kind, until, updateBefore, ttlMillis);
    }

    private static Column[] columns(List<String> texts, List<String> names) {
        Column[] columns = new Column[texts.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = functions.expr(texts.get(i)).as(names.get(i));
        }
        return columns;
    }

    private Dataset<Row> transformed(
            int keys, int aggregates, String kind, String until, boolean updateBefore,
            long ttlMillis) {
        Seq<NamedExpression> all = plan.aggregateExpressions();
        List<Expression> output = new ArrayList<>();
        List<StructField> fields = new ArrayList<>();
        for (int i = 0; i < keys + aggregates; i++) {
            NamedExpression named = all.apply(i);
            Expression column = (Expression) named;
            Expression value = i < keys
                    ? new BoundReference(i, column.dataType(), column.nullable())
                    : calls.replaced(column.children().head(), keys);
            output.add(value);
            fields.add(new StructField(named.name(), column.dataType(), column.nullable(),
                    named.metadata()));
        }
        boolean retracts = List.of(input.columns()).contains(kind);
        AggregateSpec spec = new AggregateSpec(
                calls.found(), calls.inputs().size(), keys, output, retracts, updateBefore, ttlMillis);
        Dataset<Row> changes = until.isEmpty()
                ? Changes.transformed(packed(kind, "0L"), new Aggregate(spec), ttlMillis)
                : Changes.windowed(packed(kind, until), new WindowAggregate(spec));
        return Changes.unpacked(changes, new StructType(fields.toArray(StructField[]::new)), kind);
    }

    private Dataset<Row> packed(String kind, String until) {
        return input.select(
                ExpressionUtils.column(new Pack(plan.groupingExpressions(), true)).as("k"),
                ExpressionUtils.column(new Pack(CodeWriter.seq(calls.inputs()), false)).as("r"),
                Changes.kindOf(input, kind).as("kind"), functions.lit(0L).as("at"),
                functions.expr(until).as("until"));
    }
}
