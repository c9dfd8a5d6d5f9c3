package penstock.formats.json;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import penstock.formats.Utf8Buffer;

/** Writes a value of one SQL type as JSON. */
@FunctionalInterface
interface JsonWriter {
    /** Writes the value at a position of a row or an array, which is not null. */
    void write(SpecializedGetters values, int position, Utf8Buffer out);

    /** Writes the value at a position, or {@code null}. */
    default void writeNullable(SpecializedGetters values, int position, Utf8Buffer out) {
        if (values.isNullAt(position)) {
            out.add("null");
        } else {
            write(values, position, out);
        }
    }
}
