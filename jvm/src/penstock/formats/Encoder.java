package penstock.formats;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** Writes a row as the bytes of one message; keeps no state between calls. */
public interface Encoder extends Serializable {
    /**
     * The bytes of a row, or null for a message without a value.
     *
     * @throws BadRowException if a value cannot be written
     */
    byte[] encode(InternalRow row);
}
