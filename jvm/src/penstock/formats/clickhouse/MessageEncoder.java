package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.RowsEncoder;
import penstock.formats.Utf8Buffer;

/** Writes rows in a format of ClickHouse: what begins a message, the rows, what ends it. */
abstract class MessageEncoder extends Encoder implements RowsEncoder {
    private static final long serialVersionUID = 1L;

    final transient Settings settings;
    final transient Columns columns;

    MessageEncoder(StructType schema, CodecOptions options) {
        super(schema, ColumnType.zoned(options));
        this.settings = new Settings(this.options);
        this.columns = new Columns(ColumnType.columns(this.options), settings);
    }

    /** Writes a row and what ends it. */
    abstract void row(InternalRow row, Utf8Buffer out);

    /** Writes what stands before the first row. */
    void begin(Utf8Buffer out) {}

    /** Writes what stands between two rows. */
    void between(Utf8Buffer out) {}

    /** Writes what stands behind the last row. */
    void end(Utf8Buffer out) {}

    @Override
    protected final byte[] write(InternalRow row) {
        Utf8Buffer out = Utf8Buffer.start();
        begin(out);
        row(row, out);
        end(out);
        return out.finish();
    }

    @Override
    public final byte[] encodeAll(ArrayData rows) {
        if (rows.numElements() == 0) {
            return null;
        }
        Utf8Buffer out = Utf8Buffer.start();
        begin(out);
        for (int i = 0; i < rows.numElements(); i++) {
            if (i > 0) {
                between(out);
            }
            row(rows.getStruct(i, columns.size()), out);
        }
        end(out);
        return out.finish();
    }
}
