package penstock.operators.aggregate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * What is known of the rows of one group, for one aggregate call.
 *
 * <p>One instance serves group after group: {@link #load} or {@link #clear}, {@link #result} for
 * what held before, {@link #add} and {@link #retract} in any order, {@link #settle}, then
 * {@link #result} and {@link #save}. Rows that its FILTER leaves out never come here.
 */
abstract class Accumulator {
    /** As for a group without rows. */
    abstract void clear();

    /** As it was saved. */
    abstract void load(DataInput in) throws IOException;

    /** What is kept with the group; entries of maps are kept by {@link #settle}. */
    abstract void save(DataOutput out) throws IOException;

    /** A row of the call's arguments comes into the group. */
    abstract void add(InternalRow arguments);

    /** A row that came before goes out of it. */
    abstract void retract(InternalRow arguments);

    /** All rows of the batch are in: the moment to look into the state once per value. */
    void settle() {}

    /** Forget what is kept outside of {@link #save}: the group is empty. */
    void forget() {}

    /** The result in Spark's internal form, null for NULL. */
    abstract Object result();
}
