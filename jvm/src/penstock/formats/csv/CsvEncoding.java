package penstock.formats.csv;

import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.Encoding;

/**
 * Flink's {@code csv} format, for writing.
 *
 * @param options its options
 */
public record CsvEncoding(CodecOptions options) implements Encoding {
    @Override
    public String function() {
        return "penstock_csv_encode";
    }

    @Override
    public Encoder encoder(StructType schema) {
        return new CsvEncoder(schema, options);
    }
}
