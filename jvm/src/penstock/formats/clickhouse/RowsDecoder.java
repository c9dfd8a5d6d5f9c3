package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;

/** Reads messages of a format of ClickHouse: any number of rows each, none if it is empty. */
abstract class RowsDecoder extends Decoder {
    private static final long serialVersionUID = 1L;
    private static final byte[] BYTE_ORDER_MARK = "\uFEFF".getBytes(StandardCharsets.UTF_8);

    final transient Settings settings;
    final transient Columns columns;
    private final transient int skippedBytes;

    RowsDecoder(StructType schema, CodecOptions options) {
        super(schema, ColumnType.zoned(options));
        this.settings = new Settings(this.options);
        this.columns = new Columns(ColumnType.columns(this.options), settings);
        this.skippedBytes = settings.skippedBytes();
    }

    @Override
    public final ArrayData decode(byte[] message) {
        if (message.length <= skippedBytes) {
            return null;
        }
        Input in = new Input(message, skippedBytes, message.length);
        MessageRows rows = new MessageRows();
        try {
            read(in, rows);
        } catch (FieldException e) {
            throw rows.failure(e, message);
        }
        return rows.found(message);
    }

    /** Reads all rows; what breaks off the message as a whole is thrown. */
    abstract void read(Input in, MessageRows rows);

    static void skipByteOrderMark(Input in) {
        if (in.startsWith(BYTE_ORDER_MARK)) {
            in.at += BYTE_ORDER_MARK.length;
        }
    }
}
