package penstock.formats.avro;

import org.apache.avro.Schema;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;

/** Writes rows as Flink's {@code avro} format does: one record, without its schema. */
public final class AvroEncoder extends Encoder {
    private static final long serialVersionUID = 1L;

    private final transient Schema avro;
    private final transient boolean isJson;
    private final transient AvroWriters.Rows rows;

    /** An encoder for rows of a type. */
    public AvroEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.avro = AvroSchemas.of(options);
        this.isJson = options.text("encoding", "binary").equals("json");
        this.rows = AvroWriters.rows(avro, schema);
    }

    private Object readResolve() {
        return new AvroEncoder(schema, options);
    }

    @Override
    protected byte[] write(InternalRow value) {
        AvroBuffer.Content content = out -> rows.write(value, out);
        return isJson
                ? AvroBuffer.encoded(to -> EncoderFactory.get().jsonEncoder(avro, to), content)
                : AvroBuffer.binary(content);
    }
}
