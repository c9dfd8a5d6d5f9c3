package penstock.formats;

import java.io.Serializable;
import org.apache.spark.sql.types.StructType;

/** A format and its options, before the type of the rows is known. */
public interface Encoding extends Serializable {
    /** The name of the SQL function. */
    String function();

    /**
     * The encoder for rows of a type.
     *
     * @throws IllegalArgumentException if the format has no text for one of the types
     */
    Encoder encoder(StructType schema);
}
