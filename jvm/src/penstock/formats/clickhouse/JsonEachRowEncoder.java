package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Utf8Buffer;

/** Writes JSONEachRow, and JSONStringsEachRow, whose values are all strings. */
public final class JsonEachRowEncoder extends MessageEncoder {
    private static final long serialVersionUID = 1L;

    private final transient JsonLayout layout;
    private final transient byte[][] labels;
    private final transient boolean strings;
    private final transient boolean array;

    /** An encoder for rows of a type. */
    public JsonEachRowEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.layout = new JsonLayout(settings);
        this.strings = options.flag("strings");
        this.array = settings.flag("output_format_json_array_of_rows", false);
        this.labels = new byte[columns.size()][];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = TupleValue.label(columns.names[i], layout);
        }
    }

    private Object readResolve() {
        return new JsonEachRowEncoder(schema, options);
    }

    @Override
    void begin(Utf8Buffer out) {
        out.add(array ? "[\n" : "");
    }

    @Override
    void between(Utf8Buffer out) {
        out.add(array ? ",\n" : "\n");
    }

    @Override
    void end(Utf8Buffer out) {
        out.add(array ? "\n]\n" : "\n");
    }

    @Override
    void row(InternalRow row, Utf8Buffer out) {
        out.add('{');
        for (int i = 0; i < labels.length; i++) {
            if (i > 0) {
                out.add(',');
            }
            out.add(labels[i]);
            if (strings) {
                string(row, i, out);
            } else {
                columns.values[i].write(row, i, layout, out);
            }
        }
        out.add('}');
    }

    private void string(InternalRow row, int position, Utf8Buffer out) {
        out.add('"');
        int start = out.size();
        columns.values[position].write(row, position, WholeLayout.INSTANCE, out);
        JsonTexts.escape(out, start, settings.escapeSlashes());
        out.add('"');
    }
}
