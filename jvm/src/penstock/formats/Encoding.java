package penstock.formats;

import java.io.Serializable;
import org.apache.spark.sql.types.StructType;

/**
 * A format and its options, before the type of the rows is known.
 *
 * @param function the name of the SQL function
 * @param options the format's
 */
public record Encoding(String function, CodecOptions options) implements Serializable {
    /**
     * The encoder for rows of a type.
     *
     * @throws IllegalArgumentException if the format has no text for one of the types
     */
    Encoder encoder(StructType schema) {
        return Functions.encoder(function, schema, options);
    }
}
