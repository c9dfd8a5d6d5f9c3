package penstock.operators.join;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys;
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
 * A join in Spark SQL → the operator that keeps its rows.
 *
 * <p>Spark analyzes the condition and finds the equalities in it, by which rows are brought together;
 * without any, all rows have one key. Rows with a NULL in their key have no partner and are not kept.
 */
public final class Joining {
    /** Beside the columns of a row: its place among those that came, and when it is due. */
    private static final String AT = "__at";
    private static final String UNTIL = "__until";

    private final Dataset<Row> left;
    private final Dataset<Row> right;
    private final JoinKind kind;
    private final String change;
    private final org.apache.spark.sql.catalyst.plans.logical.Join plan;
    private Seq<Expression> leftKeys = CodeWriter.seq(List.of());
    private Seq<Expression> rightKeys = CodeWriter.seq(List.of());
    private Expression condition;

    private Joining(Dataset<Row> left, Dataset<Row> right, String condition, JoinKind kind,
            String change) {
        this.left = left;
        this.right = right;
        this.kind = kind;
        this.change = change;
        Dataset<Row> pairs = rows(left).join(rows(right), functions.expr(condition), "inner");
        plan = (org.apache.spark.sql.catalyst.plans.logical.Join) Expressions.analyzed(pairs);
        var keys = ExtractEquiJoinKeys.unapply(plan);
        scala.Option<Expression> rest = plan.condition();
        if (keys.isDefined()) {
            leftKeys = keys.get()._2();
            rightKeys = keys.get()._3();
            rest = keys.get()._4();
        }
        this.condition = rest.isEmpty() ? null : Expressions.inlined(rest.get());
    }

    /**
     * The changes of a join: the columns of both sides, or for SEMI and ANTI of the left, and the row
     * kind in the column {@code change}, which a side may lack if its rows only come. With a key of
     * these rows an update is told by its new row alone. {@code sides} names the {@link SideRows} of
     * both; a side of upserts has {@code __at}, in which order its rows came.
     */
    public static Dataset<Row> apply(Dataset<Row> left, Dataset<Row> right, String condition,
            String kind, String change, List<String> sides, List<String> key, long ttlMillis) {
        return new Joining(left, right, condition, JoinKind.valueOf(kind), change)
                .transformed(sides, key, ttlMillis);
    }

    /**
     * The left rows with the versions of the right side at their time. Beside its columns a side has
     * {@code __at}, in which order its rows came, and the left side {@code __until}, what the
     * watermark must pass before a row is told, in microseconds.
     *
     * @param told what is asked for, as JSON: see {@link TemporalSpec}
     */
    public static Dataset<Row> temporal(Dataset<Row> left, Dataset<Row> right, String condition,
            String kind, String change, List<String> key, String told) {
        return new Joining(left, right, condition, JoinKind.valueOf(kind), change)
                .temporal(key, told);
    }

    /**
     * The pairs of a join that is bounded in time, of rows that only come. Beside its columns a side
     * has {@code __at}: what the watermark must pass before a row can find no partner any more, in
     * microseconds.
     */
    public static Dataset<Row> interval(Dataset<Row> left, Dataset<Row> right, String condition,
            String kind, String change) {
        return new Joining(left, right, condition, JoinKind.valueOf(kind), change)
                .interval(functions.lit(IntervalJoin.NEVER_LATE), false);
    }

    /**
     * The same of rows in windows that must be equal, by the condition: {@code __at} is the end of a
     * row's. Rows whose window was over a batch before are left out.
     */
    public static Dataset<Row> windows(Dataset<Row> left, Dataset<Row> right, String condition,
            String kind, String change) {
        return new Joining(left, right, condition, JoinKind.valueOf(kind), change)
                .interval(functions.col("at"), true);
    }

    private Dataset<Row> interval(Column until, boolean inWindows) {
        // No row is left out below the union, since each moves the watermark there.
        Dataset<Row> rows = placed(left, leftKeys, true, nullable(leftKeys))
                .union(placed(right, rightKeys, false, nullable(rightKeys)))
                .withColumn("until", until);
        JoinSpec spec = spec(SideRows.MANY, SideRows.MANY, List.of(), 0);
        Dataset<Row> pairs = Changes.windowed(rows, new IntervalJoin(spec, inWindows));
        return Changes.unpacked(pairs, outputType(), change);
    }

    private Dataset<Row> temporal(List<String> key, String told) {
        TemporalSpec spec = TemporalSpec.of(spec(SideRows.MANY, SideRows.MANY, key, 0), told);
        Column never = functions.lit(TemporalJoin.OF_RIGHT);
        Dataset<Row> rows = timed(left, leftKeys, functions.col(UNTIL))
                .union(timed(right, rightKeys, never));
        TemporalJoin processor = new TemporalJoin(spec);
        Dataset<Row> changes = spec.atEnd()
                ? Changes.windowedAtEnd(rows, processor) : Changes.windowed(rows, processor);
        return Changes.unpacked(changes, outputType(), change);
    }

    /** The rows of a side; none is left out here, since each moves the watermark below. */
    private Dataset<Row> timed(Dataset<Row> side, Seq<Expression> keys, Column until) {
        Column row = ExpressionUtils.column(new Pack(columns(side), false));
        Column key = ExpressionUtils.column(new Pack(keys, true));
        Column at = functions.col(AT);
        if (nullable(keys)) {
            Column whole = whole(keys);
            key = functions.when(whole, key).otherwise(row);
            at = functions.when(whole, at).otherwise(functions.lit(TemporalJoin.LONELY));
        }
        return side.select(key.as("k"), row.as("r"), Changes.kindOf(side, change).as("kind"),
                at.as("at"), until.as("until"));
    }

    private JoinSpec spec(
            SideRows leftRows, SideRows rightRows, List<String> key, long ttlMillis) {
        List<Expression> output = output();
        List<Expression> named = new ArrayList<>();
        key.forEach(name -> named.add(output.get(outputType().fieldIndex(name))));
        return new JoinSpec(rowType(left), rowType(right), leftRows, rightRows, kind,
                condition == null ? null : bound(condition), output, named, ttlMillis);
    }

    private Dataset<Row> transformed(List<String> sides, List<String> key, long ttlMillis) {
        Dataset<Row> rows = side(left, leftKeys, true).union(side(right, rightKeys, false));
        JoinSpec spec = spec(SideRows.valueOf(sides.get(0)), SideRows.valueOf(sides.get(1)), key,
                ttlMillis);
        Dataset<Row> changes = Changes.transformed(rows, new Join(spec), ttlMillis);
        return Changes.unpacked(changes, outputType(), change);
    }

    /** An expression over the columns of both sides, by their places. */
    private Expression bound(Expression tree) {
        List<ExprId> ids = new ArrayList<>();
        plan.left().output().foreach(column -> ids.add(column.exprId()));
        plan.right().output().foreach(column -> ids.add(column.exprId()));
        return Expressions.replaced(tree, AttributeReference.class, column -> new BoundReference(
                ids.indexOf(column.exprId()), column.dataType(), column.nullable()));
    }

    /** The columns that go out; those of a side that may be missing are nullable. */
    private List<Expression> output() {
        List<Expression> found = new ArrayList<>();
        for (StructField field : outputType().fields()) {
            found.add(new BoundReference(found.size(), field.dataType(), field.nullable()));
        }
        return found;
    }

    private StructType outputType() {
        List<StructField> fields = new ArrayList<>();
        add(fields, rowType(left), kind.own(false) != JoinKind.Own.NONE);
        if (kind.pairs()) {
            add(fields, rowType(right), kind.own(true) != JoinKind.Own.NONE);
        }
        return new StructType(fields.toArray(StructField[]::new));
    }

    private static void add(List<StructField> fields, StructType type, boolean optional) {
        for (StructField field : type.fields()) {
            fields.add(new StructField(field.name(), field.dataType(),
                    field.nullable() || optional, field.metadata()));
        }
    }

    private Dataset<Row> rows(Dataset<Row> side) {
        return side.drop(change, AT, UNTIL);
    }

    private StructType rowType(Dataset<Row> side) {
        return rows(side).schema();
    }

    /**
     * The rows of a side in the operator's shape. Those with a NULL in their key are left out, unless
     * the side gives rows without a partner.
     */
    private Dataset<Row> side(Dataset<Row> side, Seq<Expression> keys, boolean isLeft) {
        return kind.own(isLeft) == JoinKind.Own.WITHOUT
                ? placed(side, keys, isLeft, nullable(keys))
                : placed(side.where(whole(keys)), keys, isLeft, false);
    }

    /** All rows of a side; those that may have a NULL in their key go each to a task of its own. */
    private Dataset<Row> placed(
            Dataset<Row> side, Seq<Expression> keys, boolean isLeft, boolean mayBeNull) {
        Column key = ExpressionUtils.column(new Pack(keys, true));
        Column row = ExpressionUtils.column(new Pack(columns(side), false));
        Column place = functions.lit(isLeft ? Join.LEFT : Join.RIGHT);
        Column order = List.of(side.columns()).contains(AT) ? functions.col(AT) : functions.lit(0L);
        if (mayBeNull) {
            Column whole = whole(keys);
            key = functions.when(whole, key).otherwise(row);
            place = functions.when(whole, place)
                    .otherwise(functions.lit(isLeft ? Join.LONELY_LEFT : Join.LONELY_RIGHT));
        }
        Column sideKind = Changes.kindOf(side, change).plus(place).cast("tinyint");
        return side.select(key.as("k"), row.as("r"), sideKind.as("kind"), order.as("at"));
    }

    private static Column whole(Seq<Expression> keys) {
        Column all = functions.lit(true);
        for (int i = 0; i < keys.size(); i++) {
            all = all.and(ExpressionUtils.column(keys.apply(i)).isNotNull());
        }
        return all;
    }

    private Seq<Expression> columns(Dataset<Row> side) {
        List<Expression> found = new ArrayList<>();
        for (String name : rows(side).columns()) {
            found.add(ExpressionUtils.expression(side.col(quoted(name))));
        }
        return CodeWriter.seq(found);
    }

    private static boolean nullable(Seq<Expression> keys) {
        for (int i = 0; i < keys.size(); i++) {
            if (keys.apply(i).nullable()) {
                return true;
            }
        }
        return false;
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
