package penstock.formats.cdc;

import java.util.function.BiFunction;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import penstock.formats.json.JsonReader;
import penstock.formats.json.JsonReaders;
import penstock.formats.json.JsonRowReader;

/**
 * A field of a message that holds rows of the table.
 *
 * @param name of the field
 * @param reader made of the reader of one row
 */
record RowsField(String name, BiFunction<JsonRowReader, JsonReaders, JsonReader> reader) {
    /** One whole row. */
    static RowsField row(String name) {
        return new RowsField(name, (row, readers) -> row);
    }

    /** An array of whole rows. */
    static RowsField rows(String name) {
        return new RowsField(name, (row, readers) -> readers.array(row));
    }

    /** An array of rows that have some of their fields only. */
    static RowsField partialRows(String name) {
        return new RowsField(name, (row, readers) -> readers.array(row::readPartial));
    }

    /** One whole row, read as an array of it. */
    static RowsField onlyRow(String name) {
        return new RowsField(name, (row, readers) -> only(row));
    }

    /** One row that has some of its fields only, read as an array of it. */
    static RowsField onlyPartialRow(String name) {
        return new RowsField(name, (row, readers) -> only(row::readPartial));
    }

    private static JsonReader only(JsonReader row) {
        return parser -> new GenericArrayData(new Object[] {row.read(parser)});
    }
}
