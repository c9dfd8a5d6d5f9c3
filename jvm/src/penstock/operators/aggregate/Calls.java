package penstock.operators.aggregate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers$;
import penstock.operators.Expressions;

/** The aggregate calls in expressions that Spark has analyzed, each once, and what they are of. */
public final class Calls {
    private final Map<Expression, Integer> inputs = new LinkedHashMap<>();
    private final Map<Expression, Integer> places = new LinkedHashMap<>();
    private final List<Call> calls = new ArrayList<>();

    /** The calls found so far. */
    public List<Call> found() {
        return calls;
    }

    /** What the rows carry for them: arguments and filters. */
    public List<Expression> inputs() {
        return new ArrayList<>(inputs.keySet());
    }

    /** An expression whose calls' results stand from {@code first} on, in place of the calls. */
    public Expression replaced(Expression result, int first) {
        return Expressions.replaced(Expressions.inlined(result),
                AggregateExpression.class, call -> new BoundReference(
                        first + place(call), call.dataType(), call.nullable()));
    }

    private int place(AggregateExpression call) {
        Integer known = places.get(call.canonicalized());
        if (known != null) {
            return known;
        }
        List<Integer> arguments = new ArrayList<>();
        call.aggregateFunction().children().foreach(child -> {
            if (!child.foldable()) {
                arguments.add(input(call.isDistinct()
                        ? NormalizeFloatingNumbers$.MODULE$.normalize(child) : child));
            }
            return null;
        });
        int filter = call.filter().isEmpty() ? -1 : input(call.filter().get());
        calls.add(new Call(call.aggregateFunction(),
                arguments.stream().mapToInt(Integer::intValue).toArray(), filter,
                call.isDistinct()));
        places.put(call.canonicalized(), calls.size() - 1);
        return calls.size() - 1;
    }

    /** Where a value stands among what the rows carry. */
    public int input(Expression value) {
        Expression same = value.canonicalized();
        for (Map.Entry<Expression, Integer> known : inputs.entrySet()) {
            if (known.getKey().canonicalized().equals(same)) {
                return known.getValue();
            }
        }
        inputs.put(value, inputs.size());
        return inputs.size() - 1;
    }
}
