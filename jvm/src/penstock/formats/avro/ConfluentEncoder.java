package penstock.formats.avro;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;

/** Writes rows as Flink's {@code avro-confluent} format does. */
public final class ConfluentEncoder implements Encoder {
    private static final long serialVersionUID = 1L;

    private final StructType schema;
    private final CodecOptions options;
    private final transient ConfluentWriter writer;

    /** An encoder for rows of a type. */
    public ConfluentEncoder(StructType schema, CodecOptions options) {
        this.schema = schema;
        this.options = options;
        this.writer = new ConfluentWriter(schema, options);
    }

    private Object readResolve() {
        return new ConfluentEncoder(schema, options);
    }

    @Override
    public byte[] encode(InternalRow row) {
        return writer.message(row);
    }
}
