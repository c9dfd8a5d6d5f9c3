package penstock.formats;

import org.apache.spark.sql.catalyst.util.ArrayData;

/** What an encoder is that can write several rows as one message. */
public interface RowsEncoder {
    /**
     * The bytes of one message with all these rows; null if there are none.
     *
     * @throws BadRowException if a value cannot be written
     */
    byte[] encodeAll(ArrayData rows);
}
