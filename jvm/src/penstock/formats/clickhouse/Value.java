package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Reads and writes the values of one type of ClickHouse, in any layout. */
public abstract class Value {
    private final boolean nullable;
    private final boolean nullAsDefault;

    Value(ColumnType type, Settings settings) {
        this.nullable = type.nullable();
        this.nullAsDefault = settings.nullAsDefault();
    }

    /** The values of a type, under the settings of a table. */
    public static Value of(ColumnType type, CodecOptions options) {
        return new Values(new Settings(options)).of(type);
    }

    /** What a column holds that a message does not fill. */
    public final Object absent() {
        return nullable ? null : zero();
    }

    /** The default of the type where it is not Nullable. */
    abstract Object zero();

    /** Reads a value that is not NULL. */
    abstract Object parse(Input in, Layout layout);

    /** Writes a value that is not NULL. */
    abstract void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out);

    /** Reads a value or NULL, which is the default where the type is not Nullable. */
    final Object read(Input in, Layout layout) {
        if ((nullable || nullAsDefault) && layout.acceptNull(in)) {
            return absent();
        }
        return parse(in, layout);
    }

    /** Writes the value at a position of a row or an array, or NULL. */
    final void write(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        if (values.isNullAt(position)) {
            layout.writeNull(out);
        } else {
            print(values, position, layout, out);
        }
    }

    /** The value of a text. */
    public final Object ofText(UTF8String text) {
        return readWhole(new Input(text.getBytes()));
    }

    /** The text of the value at a position of a row or an array, which is not NULL. */
    public final byte[] text(SpecializedGetters values, int position) {
        Utf8Buffer out = Utf8Buffer.apart();
        print(values, position, WholeLayout.INSTANCE, out);
        return out.finish();
    }

    /** Reads the value whose text is all of the input. */
    final Object readWhole(Input in) {
        int start = in.at;
        Object value = read(in, WholeLayout.INSTANCE);
        if (!in.atEnd()) {
            throw new FieldException("Unexpected data '" + in.rest() + "' after parsed value '"
                    + in.textFrom(start) + "'");
        }
        return value;
    }

    /** Goes over the mark that {@link Layout#openNumber} or {@link Layout#openText} announced. */
    static void close(Input in, char mark) {
        if (mark != 0) {
            in.expect(mark);
        }
    }
}
