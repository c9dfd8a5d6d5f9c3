package penstock.formats.raw;

import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.Encoding;

/**
 * Flink's {@code raw} format, for writing.
 *
 * @param options its options
 */
public record RawEncoding(CodecOptions options) implements Encoding {
    @Override
    public String function() {
        return "penstock_raw_encode";
    }

    @Override
    public Encoder encoder(StructType schema) {
        return new RawEncoder(schema, options);
    }
}
