package penstock.formats.json;

import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.Encoding;

/**
 * Flink's {@code json} format, for writing.
 *
 * @param options its options
 */
public record JsonEncoding(CodecOptions options) implements Encoding {
    @Override
    public String function() {
        return "penstock_json_encode";
    }

    @Override
    public Encoder encoder(StructType schema) {
        return new JsonEncoder(schema, options);
    }
}
