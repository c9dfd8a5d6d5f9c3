package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import penstock.catalyst.CodeWriter;
import penstock.operators.Stores;

/**
 * What the aggregate calls of a query know of the rows of one group: an {@link Accumulator} for each,
 * used in the same order of steps.
 */
public final class Accumulation {
    private final List<Call> calls;
    private final Accumulator[] accumulators;
    private final UnsafeProjection[] arguments;

    private Accumulation(List<Call> calls, Accumulator[] accumulators) {
        this.calls = calls;
        this.accumulators = accumulators;
        arguments = calls.stream().map(Accumulation::arguments).toArray(UnsafeProjection[]::new);
    }

    /** For rows in any order; whether they may go again. */
    static Accumulation of(List<Call> calls, boolean retracts, Stores stores) {
        return new Accumulation(calls, calls.stream()
                .map(call -> Accumulators.of(call, retracts, stores)).toArray(Accumulator[]::new));
    }

    /**
     * For rows in order, whose results are asked for after each; if they pass, they go in the order
     * in which they came.
     */
    public static Accumulation inOrder(List<Call> calls, boolean pass, Stores stores) {
        return new Accumulation(calls, calls.stream()
                .map(call -> Accumulators.inOrder(call, pass, stores)).toArray(Accumulator[]::new));
    }

    private static UnsafeProjection arguments(Call call) {
        List<Expression> found = new ArrayList<>();
        for (int i = 0; i < call.inputs().length; i++) {
            found.add(new BoundReference(call.inputs()[i], call.type(i), true));
        }
        return UnsafeProjection.create(CodeWriter.seq(found));
    }

    /** As for a group without rows. */
    public void clear() {
        for (Accumulator accumulator : accumulators) {
            accumulator.clear();
        }
    }

    /** As it was saved. */
    public void load(DataInput in) throws IOException {
        for (Accumulator accumulator : accumulators) {
            accumulator.load(in);
        }
    }

    /** What is kept with the group. */
    public void save(DataOutput out) throws IOException {
        for (Accumulator accumulator : accumulators) {
            accumulator.save(out);
        }
    }

    /** A row of inputs comes into the group. */
    public void add(UnsafeRow row) {
        for (int i = 0; i < accumulators.length; i++) {
            if (takes(calls.get(i), row)) {
                accumulators[i].add(arguments[i].apply(row));
            }
        }
    }

    /** A row that came before goes out of it. */
    public void retract(UnsafeRow row) {
        for (int i = 0; i < accumulators.length; i++) {
            if (takes(calls.get(i), row)) {
                accumulators[i].retract(arguments[i].apply(row));
            }
        }
    }

    private static boolean takes(Call call, UnsafeRow row) {
        int filter = call.filter();
        return filter < 0 || (!row.isNullAt(filter) && row.getBoolean(filter));
    }

    /** All rows before the next results are in. */
    public void settle() {
        for (Accumulator accumulator : accumulators) {
            accumulator.settle();
        }
    }

    /** Forget what is kept outside of {@link #save}: the group is empty. */
    public void forget() {
        for (Accumulator accumulator : accumulators) {
            accumulator.forget();
        }
    }

    /** Puts the result of each call into the first places of an array. */
    public void results(Object[] into) {
        for (int i = 0; i < accumulators.length; i++) {
            into[i] = accumulators[i].result();
        }
    }
}
