package penstock.formats.avro;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.operators.RowKind;

/**
 * Writes rows, the last field of which is their kind, as Flink's {@code debezium-avro-confluent}
 * format does: a row that is there from now on is created, one that is not is deleted.
 */
public final class DebeziumConfluentEncoder extends Encoder {
    private static final long serialVersionUID = 1L;

    private final transient ConfluentWriter writer;
    private final transient int kindAt;

    /** An encoder for rows of a type. */
    public DebeziumConfluentEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.kindAt = schema.length() - 1;
        StructType row = new StructType(Arrays.copyOf(schema.fields(), kindAt));
        this.writer = ConfluentWriter.of(DebeziumEnvelope.of(row), options);
    }

    private Object readResolve() {
        return new DebeziumConfluentEncoder(schema, options);
    }

    @Override
    protected byte[] write(InternalRow row) {
        return writer.message(new GenericInternalRow(RowKind.isPresent(row.getByte(kindAt))
                ? new Object[] {null, row, DebeziumEnvelope.CREATE}
                : new Object[] {row, null, DebeziumEnvelope.DELETE}));
    }
}
