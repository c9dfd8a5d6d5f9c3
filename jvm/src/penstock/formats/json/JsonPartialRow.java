package penstock.formats.json;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * A row of which a message has some fields only.
 *
 * @param values of its fields
 * @param found which fields are there; one that is may be NULL
 */
public record JsonPartialRow(Object[] values, boolean[] found) {
    /** The row with the fields that are not there taken from another one. */
    public InternalRow over(GenericInternalRow other) {
        Object[] whole = values.clone();
        for (int i = 0; i < found.length; i++) {
            if (!found[i]) {
                whole[i] = other.values()[i];
            }
        }
        return new GenericInternalRow(whole);
    }
}
