package penstock.formats.clickhouse.protobuf;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadRowException;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.FieldException;
import penstock.formats.RowsEncoder;
import penstock.formats.Utf8Buffer;
import penstock.formats.clickhouse.ColumnType;
import penstock.formats.protobuf.MessageSpec;
import penstock.formats.protobuf.MessageWriter;
import penstock.formats.protobuf.Wire;

/** Writes ClickHouse's Protobuf, ProtobufSingle and ProtobufList. */
public final class ProtobufEncoder extends Encoder implements RowsEncoder {
    private static final long serialVersionUID = 1L;

    private final transient MessageWriter writer;
    private final transient MessageColumns columns;
    private final transient Framing framing;

    /** An encoder for rows of a type. */
    public ProtobufEncoder(StructType schema, CodecOptions options) {
        super(schema, ColumnType.zoned(options));
        MessageSpec message = MessageSpec.of(this.options);
        this.writer = new MessageWriter(message, WireTypes.of(message), "");
        this.columns = MessageColumns.of(message, ColumnType.columns(this.options), this.options);
        this.framing = Framing.of(options);
    }

    private Object readResolve() {
        return new ProtobufEncoder(schema, options);
    }

    @Override
    protected byte[] write(InternalRow row) {
        Utf8Buffer out = Utf8Buffer.start();
        int start = begin(out);
        write(row, out);
        return finish(start, out);
    }

    /**
     * The rows as one message.
     *
     * @throws BadRowException if a value cannot be written
     */
    @Override
    public byte[] encodeAll(ArrayData rows) {
        if (rows.numElements() == 0) {
            return null;
        }
        if (framing == Framing.SINGLE && rows.numElements() > 1) {
            throw new BadRowException("", "The ProtobufSingle format can't be used to write"
                    + " multiple rows because this format doesn't have any row delimiter");
        }
        Utf8Buffer out = Utf8Buffer.start();
        int start = begin(out);
        try {
            for (int i = 0; i < rows.numElements(); i++) {
                write(rows.getStruct(i, schema.length()), out);
            }
        } catch (FieldException e) {
            throw new BadRowException(e.path(), e.getMessage());
        }
        return finish(start, out);
    }

    private int begin(Utf8Buffer out) {
        return framing == Framing.LIST ? Wire.begin(out) : 0;
    }

    private byte[] finish(int start, Utf8Buffer out) {
        if (framing == Framing.LIST) {
            Wire.end(start, out);
        }
        return out.finish();
    }

    private void write(InternalRow row, Utf8Buffer out) {
        InternalRow message = columns.write(row);
        int start = framing.beginRow(out);
        writer.write(message, out);
        framing.endRow(start, out);
    }
}
