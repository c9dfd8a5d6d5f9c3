package penstock.operators.join;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.StructType;

/**
 * What a join does with the rows of one key.
 *
 * @param left the columns of the left side
 * @param right the columns of the right side
 * @param leftRows which rows the left side may have
 * @param rightRows which rows the right side may have
 * @param kind which rows it gives
 * @param condition what pairs must meet beside their key, over the columns of both; null for nothing
 * @param output the columns that go out, over those of both sides
 * @param key of what goes out the columns by which a new row says which one it replaces; none where
 *     that one is told as well
 * @param ttlMillis for how long an untouched row is kept, 0 for ever
 */
record JoinSpec(StructType left, StructType right, SideRows leftRows, SideRows rightRows,
        JoinKind kind, Expression condition, List<Expression> output, List<Expression> key,
        long ttlMillis) implements Serializable {
    /** Whether each side has one row at most, and both are kept as long as the key. */
    boolean keepsTwo() {
        return leftRows != SideRows.MANY && rightRows != SideRows.MANY && ttlMillis == 0;
    }

    /**
     * Whether each row of a side knows how many partners it has: those that the condition leaves, or
     * those it was told with, though they may have expired since.
     */
    boolean countsPartners(boolean ofLeft) {
        return (condition != null || expires()) && kind.own(ofLeft) != JoinKind.Own.NONE;
    }

    /** Whether rows that nothing touches are forgotten. */
    boolean expires() {
        return ttlMillis > 0;
    }
}
