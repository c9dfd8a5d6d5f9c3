package penstock.formats.avro;

import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;
import penstock.operators.RowKind;

/**
 * Reads messages of Flink's {@code debezium-avro-confluent} format: a change of a row. The last
 * field of a row that is read is its kind.
 */
public final class DebeziumConfluentDecoder extends Decoder {
    private static final long serialVersionUID = 1L;
    private static final String FAILED = "Can't deserialize Debezium Avro message. ";

    private final transient ConfluentReaders changes;
    private final transient int kindAt;

    /** A decoder for the physical columns of a table and the kind. */
    public DebeziumConfluentDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.changes = ConfluentReaders.of(DebeziumEnvelope.of(schema), options);
        this.kindAt = schema.length() - 1;
    }

    private Object readResolve() {
        return new DebeziumConfluentDecoder(schema, options);
    }

    @Override
    public ArrayData decode(byte[] message) {
        if (message.length == 0) {
            return null;
        }
        return AvroFailure.told(FAILED, message, () -> rows(message));
    }

    private ArrayData rows(byte[] message) throws IOException {
        InternalRow change = (InternalRow) changes.read(message);
        UTF8String operation = change == null || change.isNullAt(DebeziumEnvelope.OPERATION)
                ? null : change.getUTF8String(DebeziumEnvelope.OPERATION);
        if (DebeziumEnvelope.CREATE.equals(operation) || DebeziumEnvelope.READ.equals(operation)) {
            return array(after(change, RowKind.INSERT));
        }
        if (DebeziumEnvelope.UPDATE.equals(operation)) {
            return array(before(change, "UPDATE", RowKind.UPDATE_BEFORE),
                    after(change, RowKind.UPDATE_AFTER));
        }
        if (DebeziumEnvelope.DELETE.equals(operation)) {
            return array(before(change, "DELETE", RowKind.DELETE));
        }
        throw new FieldException("Unknown \"op\" value \"" + operation + "\".");
    }

    private InternalRow before(InternalRow change, String operation, byte kind) {
        if (change.isNullAt(DebeziumEnvelope.BEFORE)) {
            throw new FieldException("The \"before\" field of " + operation + " message is null, if"
                    + " you are using Debezium Postgres Connector, please check the Postgres table"
                    + " has been set REPLICA IDENTITY to FULL level.");
        }
        return row(change, DebeziumEnvelope.BEFORE, kind);
    }

    private InternalRow after(InternalRow change, byte kind) {
        if (change.isNullAt(DebeziumEnvelope.AFTER)) {
            throw new FieldException("The \"after\" field is null.");
        }
        return row(change, DebeziumEnvelope.AFTER, kind);
    }

    private InternalRow row(InternalRow change, int side, byte kind) {
        InternalRow row = change.getStruct(side, kindAt + 1);
        row.update(kindAt, kind);
        return row;
    }

    private static ArrayData array(InternalRow... rows) {
        return new GenericArrayData((Object[]) rows);
    }

    @Override
    public String function() {
        return "penstock_debezium_avro_confluent_decode";
    }
}
