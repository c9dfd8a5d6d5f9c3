package penstock.formats.avro;

import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;

/**
 * Reads messages of Flink's {@code avro-confluent} format: a zero byte, the id of the schema that
 * the record was written with, the record.
 */
public final class ConfluentDecoder extends Decoder {
    private static final long serialVersionUID = 1L;

    private final transient ConfluentReaders rows;

    /** A decoder for the physical columns of a table. */
    public ConfluentDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.rows = ConfluentReaders.of(schema, options);
    }

    private Object readResolve() {
        return new ConfluentDecoder(schema, options);
    }

    @Override
    public ArrayData decode(byte[] message) {
        return AvroFailure.told(AvroDecoder.FAILED, message,
                () -> AvroFailure.only(rows.read(message)));
    }

    @Override
    public String function() {
        return "penstock_avro_confluent_decode";
    }
}
