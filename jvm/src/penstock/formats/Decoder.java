package penstock.formats;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;

/**
 * Reads the rows of one message. Shared by the tasks of an executor: it keeps no state between calls.
 * Two decoders are equal if they read every message alike.
 */
public interface Decoder extends Serializable {
    /** The name of the SQL function. */
    String function();

    /** The type of a row; every field is nullable. */
    StructType schema();

    /**
     * The rows of a message, or null if it has none.
     *
     * @throws BadMessageException if the message cannot be read, without its place in Kafka
     */
    ArrayData decode(byte[] message);

    /** The rows of a message without a value; most formats have none. */
    default ArrayData decodeNull() {
        return null;
    }
}
