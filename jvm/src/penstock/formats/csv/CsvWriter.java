package penstock.formats.csv;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;

/** The text of a value of one SQL type, before quoting. */
@FunctionalInterface
interface CsvWriter {
    /** The text of the value at a position of a row or an array, which is not null. */
    String text(SpecializedGetters values, int position);
}
