package penstock.formats;

import org.apache.spark.sql.catalyst.util.ArrayData;

/** An encoder that can write several rows as one message. */
public interface RowsEncoder extends Encoder {
    /**
     * The bytes of one message with all these rows; null if there are none.
     *
     * @throws BadRowException if a value cannot be written
     */
    byte[] encodeAll(ArrayData rows);
}
