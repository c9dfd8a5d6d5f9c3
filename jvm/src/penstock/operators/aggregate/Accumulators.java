package penstock.operators.aggregate;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.VariancePop;
import org.apache.spark.sql.catalyst.expressions.aggregate.VarianceSamp;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.Metadata;
import penstock.catalyst.CodeWriter;
import penstock.operators.Stores;

/** The accumulator of each call: by the function, and by whether rows may go again. */
final class Accumulators {
    private Accumulators() {}

    /** An accumulator for rows in any order. */
    static Accumulator of(Call call, boolean retracts, Stores stores) {
        int fields = call.inputs().length;
        if (call.function() instanceof Min || call.function() instanceof Max) {
            // The least of distinct values is the least of all.
            return retracts
                    ? new ExtremeAccumulator(
                            call.type(0), call.function() instanceof Max,
                            new CountMap(stores))
                    : new FoldAccumulator(fold(call));
        }
        Accumulator plain = plain(call, retracts);
        if (plain != null) {
            return call.distinct() ? distinct(call, plain, stores) : plain;
        }
        Arrival arrival = retracts ? Arrival.of(call) : null;
        if (arrival != null) {
            return new ArrivalAccumulator(fold(call), stores, fields, arrival);
        }
        return retracts || call.distinct()
                ? new MultisetAccumulator(fold(call), new CountMap(stores), fields,
                        call.distinct())
                : new FoldAccumulator(fold(call));
    }

    /** An accumulator for rows in order; if they pass, they go in the order in which they came. */
    static Accumulator inOrder(Call call, boolean pass, Stores stores) {
        if (pass) {
            Accumulator sliding = sliding(call, stores);
            if (sliding != null) {
                return sliding;
            }
        }
        Accumulator plain = plain(call, pass);
        if (plain == null && pass) {
            return new PassingAccumulator(
                    fold(call), stores.rows(), call.inputs().length, call.distinct());
        }
        Accumulator all = plain == null ? new FoldAccumulator(fold(call)) : plain;
        return call.distinct() ? distinct(call, all, stores) : all;
    }

    private static Accumulator distinct(Call call, Accumulator inner, Stores stores) {
        return new DistinctAccumulator(
                inner, new CountMap(stores), call.inputs().length);
    }

    /** What goes by the order of the rows, where the oldest goes first; null for other functions. */
    private static Accumulator sliding(Call call, Stores stores) {
        AggregateFunction function = call.function();
        if (function instanceof Min || function instanceof Max) {
            return new SlidingExtreme(call.type(0), function instanceof Max, stores.rows());
        }
        boolean edge = (function instanceof First first && first.ignoreNulls())
                || (function instanceof Last last && last.ignoreNulls());
        return edge
                ? new EdgeAccumulator(call.type(0), function instanceof Last, stores.rows()) : null;
    }

    /** What can take back a row at the cost of adding one; null for other functions. */
    private static Accumulator plain(Call call, boolean retracts) {
        AggregateFunction function = call.function();
        if (function instanceof Count) {
            return new CountAccumulator(call.inputs().length);
        }
        if (call.inputs().length != 1) {
            return null;
        }
        boolean number = Numbers.knows(call.type(0));
        if (function instanceof Sum sum && (number || call.type(0) instanceof DecimalType)) {
            boolean lenient = sum.evalContext().evalMode().equals(EvalMode$.MODULE$.TRY());
            return SumAccumulator.of(call.type(0), sum.dataType(), lenient, retracts);
        }
        if (function instanceof Average && number) {
            return SumAccumulator.average(call.type(0), retracts);
        }
        boolean isDouble = call.type(0).equals(DataTypes.DoubleType);
        if (isDouble && (function instanceof VariancePop || function instanceof VarianceSamp)) {
            return new MomentsAccumulator(function instanceof VarianceSamp);
        }
        return null;
    }

    private static Fold fold(Call call) {
        List<Expression> arguments = call.arguments();
        if (call.function() instanceof DeclarativeAggregate) {
            List<AttributeReference> attributes = new ArrayList<>();
            for (Expression argument : arguments) {
                attributes.add(new AttributeReference("a", argument.dataType(),
                        argument.nullable(), Metadata.empty(), NamedExpression.newExprId(),
                        CodeWriter.seq(List.<String>of())));
            }
            return new DeclarativeFold(
                    (DeclarativeAggregate) call.over(attributes), CodeWriter.seq(attributes));
        }
        List<BoundReference> bound = new ArrayList<>();
        for (Expression argument : arguments) {
            bound.add(new BoundReference(bound.size(), argument.dataType(), argument.nullable()));
        }
        AggregateFunction function = call.over(bound);
        if (function instanceof TypedImperativeAggregate<?> typed) {
            return new TypedFold<>(typed);
        }
        return new ImperativeFold((ImperativeAggregate) function);
    }
}
