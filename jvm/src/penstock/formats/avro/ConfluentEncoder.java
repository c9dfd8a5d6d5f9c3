package penstock.formats.avro;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;

/** Writes rows as Flink's {@code avro-confluent} format does. */
public final class ConfluentEncoder extends Encoder {
    private static final long serialVersionUID = 1L;

    private final transient ConfluentWriter writer;

    /** An encoder for rows of a type. */
    public ConfluentEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.writer = ConfluentWriter.of(schema, options);
    }

    private Object readResolve() {
        return new ConfluentEncoder(schema, options);
    }

    @Override
    protected byte[] write(InternalRow row) {
        return writer.message(row);
    }
}
