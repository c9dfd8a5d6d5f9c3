package penstock.formats.clickhouse.protobuf;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadMessageException;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;
import penstock.formats.clickhouse.ColumnType;
import penstock.formats.clickhouse.Value;
import penstock.formats.protobuf.MessageReader;
import penstock.formats.protobuf.MessageSpec;
import penstock.formats.protobuf.WireInput;

/** Reads ClickHouse's Protobuf, ProtobufSingle and ProtobufList. */
public final class ProtobufDecoder extends Decoder {
    private static final long serialVersionUID = 1L;

    private final transient MessageReader reader;
    private final transient MessageColumns columns;
    private final transient Object[] absent;
    private final transient Framing framing;
    private final transient int skippedBytes;

    /** A decoder for the columns of a table. */
    public ProtobufDecoder(StructType schema, CodecOptions options) {
        super(schema, ColumnType.zoned(options));
        MessageSpec message = MessageSpec.of(this.options);
        List<ColumnType> types = ColumnType.columns(this.options);
        this.reader = new MessageReader(message, WireTypes.of(message));
        this.columns = MessageColumns.of(message, types, this.options);
        this.absent = types.stream().map(type -> Value.of(type, this.options).absent()).toArray();
        this.framing = Framing.of(options);
        this.skippedBytes = (int) options.number("kafka_schema_registry_skip_bytes", 0);
    }

    private Object readResolve() {
        return new ProtobufDecoder(schema, options);
    }

    @Override
    public ArrayData decode(byte[] message) {
        if (message.length <= skippedBytes) {
            return null;
        }
        List<InternalRow> rows = new ArrayList<>();
        try {
            framing.read(new WireInput(message, skippedBytes), in -> rows.add(row(in)));
        } catch (FieldException e) {
            String reason = e.getMessage() + ": (at row " + (rows.size() + 1) + ")";
            throw BadMessageException.of(e.path(), reason, message);
        }
        return rows.isEmpty() ? null : new GenericArrayData(rows.toArray());
    }

    private InternalRow row(WireInput in) {
        Object[] row = absent.clone();
        columns.read((GenericInternalRow) reader.read(in), row);
        return new GenericInternalRow(row);
    }

    @Override
    public String function() {
        return "penstock_ch_protobuf_decode";
    }
}
