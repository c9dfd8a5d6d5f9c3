package penstock.formats.json;

import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Writes a row as a JSON object, its fields in their order. */
public final class JsonRowWriter implements JsonWriter {
    private final String[] names;
    private final byte[][] labels;
    private final JsonWriter[] writers;
    private final boolean ignoreNullFields;

    /** A writer of rows of a type. */
    public JsonRowWriter(StructType type, JsonWriters types) {
        StructField[] fields = type.fields();
        this.names = type.fieldNames();
        this.labels = new byte[fields.length][];
        this.writers = new JsonWriter[fields.length];
        this.ignoreNullFields = types.ignoreNullFields();
        for (int i = 0; i < fields.length; i++) {
            String label = JsonStrings.quoted(names[i]) + ":";
            labels[i] = label.getBytes(StandardCharsets.UTF_8);
            writers[i] = types.writer(fields[i].dataType());
        }
    }

    @Override
    public void write(SpecializedGetters values, int position, Utf8Buffer out) {
        write(values.getStruct(position, writers.length), out);
    }

    /** Writes a row; values after the last field are left out. */
    public void write(InternalRow row, Utf8Buffer out) {
        char before = '{';
        for (int i = 0; i < writers.length; i++) {
            if (ignoreNullFields && row.isNullAt(i)) {
                continue;
            }
            out.add(before);
            out.add(labels[i]);
            try {
                writers[i].writeNullable(row, i, out);
            } catch (FieldException e) {
                throw e.within(names[i]);
            }
            before = ',';
        }
        if (before == '{') {
            out.add('{');
        }
        out.add('}');
    }
}
