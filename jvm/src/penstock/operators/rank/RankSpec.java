package penstock.operators.rank;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.NullsLast$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Packed;
import penstock.operators.Told;

/**
 * What a ranking does; it travels to the tasks.
 *
 * @param function which number a row gets
 * @param order the terms, over the columns of a row; none is the order of arrival
 * @param newestFirst whether of rows that the terms do not order the one that came last is first
 * @param fields how many columns a row has
 * @param first the lowest number that goes out
 * @param last the highest
 * @param lastColumn the column that no number is above either, the same in all of a partition; -1 is
 *     none
 * @param numbered whether the last column is the number, which the operator fills in
 * @param retracts whether rows that went in may be taken back
 * @param updateBefore whether the consumer needs the old row of an update
 * @param ttlMillis for how long what nothing touches is kept, 0 for ever
 */
record RankSpec(Function function, List<SortOrder> order, boolean newestFirst, int fields,
        long first, long last, int lastColumn, boolean numbered, boolean retracts,
        boolean updateBefore, long ttlMillis) implements Serializable {
    /** How rows are numbered that the order does not tell apart. */
    enum Function {
        /** One after the other. */
        ROW_NUMBER,
        /** Alike; the next row by how many are before it. */
        RANK,
        /** Alike; the next row one higher. */
        DENSE_RANK
    }

    /** What JSON tells of a ranking of rows of this type. */
    static RankSpec of(String json, StructType type) {
        JsonNode told = Told.read(json);
        List<SortOrder> order = new ArrayList<>();
        told.get("order").forEach(term -> order.add(term(term, type)));
        return new RankSpec(
                Function.valueOf(told.get("function").textValue()),
                order,
                told.get("newestFirst").booleanValue(),
                type.size(),
                told.get("first").longValue(),
                told.get("last").longValue(),
                told.get("lastColumn").intValue(),
                told.get("numbered").booleanValue(),
                told.get("retracts").booleanValue(),
                told.get("updateBefore").booleanValue(),
                told.get("ttlMillis").longValue());
    }

    private static SortOrder term(JsonNode told, StructType type) {
        int column = told.get("column").intValue();
        DataType of = type.fields()[column].dataType();
        return new SortOrder(
                new BoundReference(column, of, true),
                told.get("descending").booleanValue() ? Descending$.MODULE$ : Ascending$.MODULE$,
                told.get("nullsFirst").booleanValue() ? NullsFirst$.MODULE$ : NullsLast$.MODULE$,
                CodeWriter.seq(List.<Expression>of()));
    }

    /** Whether each number is one row's, by which the rows that go out are told apart. */
    boolean byNumber() {
        return function == Function.ROW_NUMBER && (numbered || last == 1);
    }

    /** Whether what came first stays: how many there were is all that must be known. */
    boolean isFirstCome() {
        return function == Function.ROW_NUMBER && order.isEmpty() && !newestFirst && !retracts
                && lastColumn < 0;
    }

    /** The highest number that goes out of the partition of a row; where that is NULL, none does. */
    long lastOf(byte[] packed) {
        if (lastColumn < 0) {
            return last;
        }
        UnsafeRow row = Packed.row(packed, fields);
        return row.isNullAt(lastColumn) ? 0 : Math.min(last, row.getLong(lastColumn));
    }
}
