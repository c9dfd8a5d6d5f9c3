package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;

/** Reads JSONCompactEachRow: an array is a row, its columns by their position. */
public final class JsonCompactDecoder extends JsonSequence {
    private static final long serialVersionUID = 1L;

    private final transient JsonLayout layout;
    private final transient boolean variable;

    /** A decoder for the columns of a table. */
    public JsonCompactDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.layout = new JsonLayout(settings);
        this.variable = settings.flag(
                "input_format_json_compact_allow_variable_number_of_columns", false);
    }

    private Object readResolve() {
        return new JsonCompactDecoder(schema, options);
    }

    @Override
    boolean mayBeArray() {
        return false;
    }

    @Override
    InternalRow row(Input in) {
        Object[] values = new Object[columns.size()];
        boolean[] found = new boolean[values.length];
        in.expect('[');
        in.skipBlanks();
        for (int i = 0; i < values.length && !(variable && in.peek() == ']'); i++) {
            if (i > 0) {
                in.expectAmongBlanks(',');
            }
            values[i] = columns.read(i, in, layout);
            found[i] = true;
            in.skipBlanks();
        }
        while (variable && in.accept(',')) {
            in.skipBlanks();
            JsonTexts.skip(in);
            in.skipBlanks();
        }
        in.expect(']');
        return columns.row(values, found);
    }

    @Override
    public String function() {
        return "penstock_ch_json_compact_decode";
    }
}
