package penstock.formats.avro;

import java.io.ByteArrayInputStream;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;

/**
 * Reads messages of Flink's {@code avro} format: one record, without its schema, which is that of
 * the table.
 */
public final class AvroDecoder extends Decoder {
    private static final long serialVersionUID = 1L;
    static final String FAILED = "Failed to deserialize Avro record. ";

    private final transient Schema avro;
    private final transient boolean isJson;
    private final transient AvroReader row;

    /** A decoder for the physical columns of a table. */
    public AvroDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.avro = AvroSchemas.of(options);
        this.isJson = options.text("encoding", "binary").equals("json");
        this.row = AvroReaders.rows(avro, avro, schema);
    }

    private Object readResolve() {
        return new AvroDecoder(schema, options);
    }

    @Override
    public ArrayData decode(byte[] message) {
        return AvroFailure.told(FAILED, message, () -> AvroFailure.only(row.read(isJson
                ? DecoderFactory.get().jsonDecoder(avro, new ByteArrayInputStream(message))
                : new AvroBytes(message, 0))));
    }

    @Override
    public String function() {
        return "penstock_avro_decode";
    }
}
