package penstock.formats;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** Writes a row as the bytes of one message; keeps no state between calls. */
public abstract class Encoder implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The type of a row. */
    protected final StructType schema;

    /** The options of the format. */
    protected final CodecOptions options;

    /** An encoder for rows of a type. */
    protected Encoder(StructType schema, CodecOptions options) {
        this.schema = schema;
        this.options = options;
    }

    /**
     * The bytes of a row, or null for a message without a value.
     *
     * @throws BadRowException if a value cannot be written
     */
    public final byte[] encode(InternalRow row) {
        try {
            return write(row);
        } catch (FieldException e) {
            throw new BadRowException(e.path(), e.getMessage());
        }
    }

    /**
     * The bytes of a row, or null for a message without a value.
     *
     * @throws FieldException if a value cannot be written
     */
    protected abstract byte[] write(InternalRow row);
}
