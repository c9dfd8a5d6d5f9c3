package penstock.operators.aggregate;

import org.apache.spark.sql.catalyst.InternalRow;

/** One of Spark's own aggregate functions, row by row. */
interface Fold {
    /** As for no rows. */
    void clear();

    /** One more row of arguments. */
    void add(InternalRow arguments);

    /** The result so far, in Spark's internal form. */
    Object result();

    /** What is known so far. */
    byte[] save();

    /** Go on from what was saved. */
    void load(byte[] saved);
}
