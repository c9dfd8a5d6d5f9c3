package penstock.formats.print;

import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.Encoding;

/**
 * The text of a row as Flink's {@code print} connector shows it, without the kind of the row.
 *
 * @param options none
 */
public record RowTextEncoding(CodecOptions options) implements Encoding {
    @Override
    public String function() {
        return "penstock_print_encode";
    }

    @Override
    public Encoder encoder(StructType schema) {
        return new RowTextEncoder(schema);
    }
}
