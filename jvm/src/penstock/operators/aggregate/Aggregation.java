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
import penstock.operators.RowKind;
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
    private final List<Expression> output = new ArrayList<>();
    private StructType type = new StructType();

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
        Aggregation made = of(input, keys, keyNames, aggregates, names);
        AggregateSpec spec = made.spec(kind, updateBefore, ttlMillis);
        Dataset<Row> changes = until.isEmpty()
                ? Changes.transformed(made.packed(kind, "0L"), new Aggregate(spec), ttlMillis)
                : Changes.windowed(made.packed(kind, until), new WindowAggregate(spec));
        return Changes.unpacked(changes, made.type, kind);
    }

    /** The sessions of each group, behind a column that says which, each told once: when it is over. */
    public static Dataset<Row> sessions(Dataset<Row> input, List<String> keys,
            List<String> keyNames, List<String> aggregates, List<String> names, String kind,
            SessionSpec session) {
        Dataset<Row> timed = input.where(functions.col(session.time()).isNotNull());
        Aggregation made = of(timed, keys, keyNames, aggregates, names);
        int place = keys.size() + made.calls.found().size();
        made.output.add(0, new BoundReference(place, SessionSpec.BOUNDS, false));
        StructType type = new StructType().add(session.window(), SessionSpec.BOUNDS, false);
        for (StructField field : made.type.fields()) {
            type = type.add(field);
        }
        SessionAggregate operator = new SessionAggregate(made.spec(kind, false, 0), session);
        Dataset<Row> rows = made.marked(kind, session);
        Dataset<Row> told = session.atEnd()
                ? Changes.windowedAtEnd(rows, operator) : Changes.windowed(rows, operator);
        return Changes.unpacked(told, type, kind);
    }

    private static Aggregation of(Dataset<Row> input, List<String> keys, List<String> keyNames,
            List<String> aggregates, List<String> names) {
        List<String> asked = aggregates.isEmpty() ? List.of("count(*)") : aggregates;
        List<String> called = aggregates.isEmpty() ? List.of("__count") : names;
        Column[] made = columns(asked, called);
        Column[] rest = Arrays.copyOfRange(made, 1, made.length);
        Dataset<Row> grouped = input.groupBy(columns(keys, keyNames)).agg(made[0], rest);
        Aggregation found = new Aggregation(input, grouped);
        found.read(keys.size(), aggregates.size());
        return found;
    }

    private static Column[] columns(List<String> texts, List<String> names) {
        Column[] columns = new Column[texts.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = functions.expr(texts.get(i)).as(names.get(i));
        }
        return columns;
    }

    private void read(int keys, int aggregates) {
        Seq<NamedExpression> all = plan.aggregateExpressions();
        for (int i = 0; i < keys + aggregates; i++) {
            NamedExpression named = all.apply(i);
            Expression column = (Expression) named;
            Expression value = i < keys
                    ? new BoundReference(i, column.dataType(), column.nullable())
                    : calls.replaced(column.children().head(), keys);
            output.add(value);
            type = type.add(new StructField(
                    named.name(), column.dataType(), column.nullable(), named.metadata()));
        }
    }

    private AggregateSpec spec(String kind, boolean updateBefore, long ttlMillis) {
        boolean retracts = List.of(input.columns()).contains(kind);
        return new AggregateSpec(calls.found(), calls.inputs().size(),
                plan.groupingExpressions().size(), output, retracts, updateBefore, ttlMillis);
    }

    private Dataset<Row> packed(String kind, String until) {
        return input.select(key(), row().as("r"), Changes.kindOf(input, kind).as("kind"),
                functions.lit(0L).as("at"), functions.expr(until).as("until"));
    }

    /** Each row, which Spark never leaves out; beside one that comes, a mark that it may leave out. */
    private Dataset<Row> marked(String kind, SessionSpec session) {
        Column time = functions.unix_millis(functions.col(session.time()));
        Column end = functions.unix_micros(functions.col(session.time()))
                .plus(functions.lit(session.gapMillis() * 1000));
        Column of = Changes.kindOf(input, kind);
        Column row = entry(row(), of, time, functions.lit(Long.MAX_VALUE));
        Column mark = entry(functions.lit(new byte[0]),
                functions.lit(SessionAggregate.MARK), time, end);
        Column comes = of.isin(RowKind.INSERT, RowKind.UPDATE_AFTER);
        Column both = functions.when(comes, functions.array(row, mark))
                .otherwise(functions.array(row));
        return input.select(key(), functions.explode(
                session.atEnd() ? functions.array(row) : both).as("e")).select("k", "e.*");
    }

    private static Column entry(Column row, Column kind, Column time, Column until) {
        return functions.struct(row.as("r"), kind.as("kind"), time.as("at"), until.as("until"));
    }

    private Column key() {
        return ExpressionUtils.column(new Pack(plan.groupingExpressions(), true)).as("k");
    }

    private Column row() {
        return ExpressionUtils.column(new Pack(CodeWriter.seq(calls.inputs()), false));
    }
}
