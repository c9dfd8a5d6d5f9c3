package penstock.operators.over;

import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.sql.Row;

/**
 * A row of a partition.
 *
 * @param row the columns that go out with it
 * @param inputs what the functions are of
 * @param at its place in its batch
 * @param time its time in milliseconds
 */
record Arrived(byte[] row, byte[] inputs, long at, long time) {
    /** As rows came; those whose place is not known in an order that is the same another time. */
    static final Comparator<Arrived> ORDER = Comparator.comparingLong(Arrived::at)
            .thenComparing(Arrived::row, Arrays::compareUnsigned)
            .thenComparing(Arrived::inputs, Arrays::compareUnsigned);

    static Arrived of(Row row) {
        return new Arrived(row.getAs(0), row.getAs(1), row.getLong(2), row.getLong(3));
    }
}
