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
 * @param kind which rows it gives
 * @param condition what pairs must meet beside their key, over the columns of both; null for nothing
 * @param output the columns that go out, over those of both sides
 * @param key the columns of what goes out that name a row, where an update is told by its new row
 *     alone; else none
 * @param ttlMillis for how long an untouched row is kept, 0 for ever
 */
record JoinSpec(StructType left, StructType right, JoinKind kind, Expression condition,
        List<Expression> output, List<Expression> key, long ttlMillis) implements Serializable {
    StructType side(boolean ofLeft) {
        return ofLeft ? left : right;
    }

    /** Whether the rows of a side must be told from each other by how many partners they have. */
    boolean countsPartners(boolean ofLeft) {
        return condition != null && kind.own(ofLeft) != JoinKind.Own.NONE;
    }
}
