package penstock.formats;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;

/**
 * Reads the rows of one message. Shared by the tasks of an executor: it keeps no state between calls.
 * Two decoders of a format are equal if schema and options are: they read every message alike.
 */
public abstract class Decoder implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The type of a row; every field is nullable. */
    protected final StructType schema;

    /** The options of the format. */
    protected final CodecOptions options;

    /** A decoder for the physical columns of a table. */
    protected Decoder(StructType schema, CodecOptions options) {
        this.schema = schema.asNullable();
        this.options = options;
    }

    /** The name of the SQL function. */
    public abstract String function();

    /**
     * The rows of a message, or null if it has none.
     *
     * @throws BadMessageException if the message cannot be read, without its place in Kafka, also
     *     where the table leaves such messages out: see {@link Failures}
     */
    public abstract ArrayData decode(byte[] message);

    /** The rows of a message without a value; most formats have none. */
    public ArrayData decodeNull() {
        return null;
    }

    /** The type of a row. */
    public final StructType schema() {
        return schema;
    }

    @Override
    public final boolean equals(Object other) {
        return other != null && other.getClass() == getClass()
                && ((Decoder) other).schema.equals(schema)
                && ((Decoder) other).options.equals(options);
    }

    @Override
    public final int hashCode() {
        return 31 * schema.hashCode() + options.hashCode();
    }

    @Override
    public final String toString() {
        return schema.sql() + ", " + options;
    }
}
