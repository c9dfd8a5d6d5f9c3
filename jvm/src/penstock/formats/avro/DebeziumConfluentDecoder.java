package penstock.formats.avro;

import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;
import penstock.formats.cdc.Changes;
import penstock.formats.cdc.Operation;

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
        Object word = change == null ? null
                : change.get(DebeziumEnvelope.OPERATION, DataTypes.StringType);
        Operation operation = Operation.DEBEZIUM.get(String.valueOf(word));
        if (operation == null) {
            throw new FieldException(Operation.unknown("op", word));
        }
        Changes rows = new Changes(kindAt);
        rows.add(operation, before(change, operation), after(change, operation));
        return rows.rows();
    }

    private InternalRow before(InternalRow change, Operation operation) {
        if (operation.hasBefore() && change.isNullAt(DebeziumEnvelope.BEFORE)) {
            throw new FieldException(operation.missingBefore("before", "Debezium"));
        }
        return change.getStruct(DebeziumEnvelope.BEFORE, kindAt + 1);
    }

    private InternalRow after(InternalRow change, Operation operation) {
        if (operation.hasAfter() && change.isNullAt(DebeziumEnvelope.AFTER)) {
            throw new FieldException(operation.missing("after"));
        }
        return change.getStruct(DebeziumEnvelope.AFTER, kindAt + 1);
    }

    @Override
    public String function() {
        return "penstock_debezium_avro_confluent_decode";
    }
}
