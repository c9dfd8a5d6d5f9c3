package penstock.operators.over;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.NullsLast$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Pack;
import penstock.operators.Changes;
import penstock.operators.Expressions;
import penstock.operators.Told;
import penstock.operators.aggregate.Calls;

/**
 * Functions with OVER in Spark SQL → the operator that tells of each row what they say.
 *
 * <p>Spark analyzes the aggregates as if they were those of a query of its own, so that names, types
 * and the meaning of every function are Spark's.
 */
public final class OverAggregation {
    private final Dataset<Row> input;
    private final JsonNode told;
    private final Calls calls = new Calls();
    private final List<Expression> output = new ArrayList<>();
    private final List<Lag.Spec> lags = new ArrayList<>();
    private StructType type = new StructType();

    private OverAggregation(Dataset<Row> input, JsonNode told) {
        this.input = input;
        this.told = told;
    }

    /**
     * The rows with a column for each function, and the row kind under a name.
     *
     * @param spec what is asked for, as JSON: the SQL of {@code key}, {@code row}, {@code at} and
     *     {@code time} in microseconds, or of the {@code order} by something else, the names of
     *     {@code columns}, the {@code aggregates}, {@code positions} and {@code lags}, and the frame
     */
    public static Dataset<Row> apply(Dataset<Row> input, String spec, String kind) {
        return new OverAggregation(input, Told.read(spec)).transformed(kind);
    }

    private Dataset<Row> transformed(String kind) {
        List<OverSpec.Position> positions = new ArrayList<>();
        told.get("positions").forEach(position ->
                positions.add(OverSpec.Position.valueOf(position.get("function").textValue())));
        addColumns();
        addAggregates();
        int place = type.size() - told.get("aggregates").size() + calls.found().size();
        for (JsonNode position : told.get("positions")) {
            add(position, place++, DataTypes.LongType, false);
        }
        addLags(place);
        List<SortOrder> order = order();
        OverSpec spec = new OverSpec(calls.found(), calls.inputs().size(), positions, lags,
                told.get("columns").size(), output, order, told.get("rows").booleanValue(),
                told.get("preceding").longValue(), told.get("byWatermark").booleanValue(),
                told.get("ttlMillis").longValue());
        return Changes.unpacked(changes(spec, kind), type, kind);
    }

    private Dataset<Row> changes(OverSpec spec, String kind) {
        if (!spec.byWatermark() && !spec.order().isEmpty()) {
            Dataset<Row> packed = input.select(sql("key").as("k"), sql("row").as("r"), inputs(),
                    sql("at").as("at"), Changes.kindOf(input, kind).as("kind"));
            return Changes.ordered(packed, new ByOrder(spec));
        }
        return spec.byWatermark()
                ? Changes.timed(packed(spec), new ByTime(spec))
                : Changes.clocked(packed(spec), new ByArrival(spec), spec.keptMillis());
    }

    /** The terms of the order; what they are of stands among the inputs. */
    private List<SortOrder> order() {
        List<Expression> values = projected("order", "sql");
        List<SortOrder> found = new ArrayList<>();
        for (Expression value : values) {
            JsonNode term = told.get("order").get(found.size());
            boolean descending = term.get("descending").booleanValue();
            boolean nullsFirst = term.get("nullsFirst").booleanValue();
            found.add(new SortOrder(
                    new BoundReference(calls.input(value), value.dataType(), true),
                    descending ? Descending$.MODULE$ : Ascending$.MODULE$,
                    nullsFirst ? NullsFirst$.MODULE$ : NullsLast$.MODULE$,
                    CodeWriter.seq(List.<Expression>of())));
        }
        return found;
    }

    private void addColumns() {
        for (JsonNode name : told.get("columns")) {
            var field = input.schema().apply(name.textValue());
            output.add(new BoundReference(type.size(), field.dataType(), field.nullable()));
            type = type.add(field);
        }
    }

    private void addAggregates() {
        List<Column> made = columns("aggregates", "sql");
        if (made.isEmpty()) {
            return;
        }
        int columns = type.size();
        Dataset<Row> whole = input.agg(made.get(0), made.stream().skip(1).toArray(Column[]::new));
        ((Aggregate) Expressions.analyzed(whole)).aggregateExpressions().foreach(named -> {
            Expression column = (Expression) named;
            output.add(calls.replaced(column.children().head(), columns));
            type = type.add(named.name(), column.dataType(), column.nullable());
            return null;
        });
    }

    private void addLags(int first) {
        List<Expression> values = projected("lags", "value");
        List<Expression> others = projected("lags", "otherwise");
        int place = first;
        for (JsonNode lag : told.get("lags")) {
            int number = place - first;
            Expression value = values.get(number);
            lags.add(new Lag.Spec(calls.input(value), calls.input(others.get(number)),
                    lag.get("offset").intValue(), value.dataType()));
            add(lag, place++, value.dataType(), true);
        }
    }

    private List<Expression> projected(String functions, String part) {
        List<Expression> found = new ArrayList<>();
        List<Column> made = columns(functions, part);
        if (!made.isEmpty()) {
            Dataset<Row> columns = input.select(made.toArray(Column[]::new));
            ((Project) Expressions.analyzed(columns)).projectList().foreach(named ->
                    found.add(Expressions.inlined(((Expression) named).children().head())));
        }
        return found;
    }

    private List<Column> columns(String functions, String part) {
        List<Column> found = new ArrayList<>();
        told.get(functions).forEach(function -> found.add(
                org.apache.spark.sql.functions.expr(function.get(part).textValue())
                        .as(function.get("name").textValue())));
        return found;
    }

    private void add(JsonNode function, int place, DataType of, boolean nullable) {
        output.add(new BoundReference(place, of, nullable));
        type = type.add(function.get("name").textValue(), of, nullable);
    }

    private Dataset<Row> packed(OverSpec spec) {
        // A bounded frame knows late rows by itself.
        String until = spec.bounded() ? Long.MAX_VALUE + "L" : told.get("time").textValue();
        return input.select(
                sql("key").as("k"), sql("row").as("r"), inputs(), sql("at").as("at"),
                functions.expr(time()).as("time"), functions.expr(until).as("until"));
    }

    private Column inputs() {
        return ExpressionUtils.column(new Pack(CodeWriter.seq(calls.inputs()), false)).as("a");
    }

    private String time() {
        return "CAST(floor((" + told.get("time").textValue() + ") / 1000) AS BIGINT)";
    }

    private Column sql(String part) {
        return functions.expr(told.get(part).textValue());
    }
}
