package penstock.formats.raw;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;

/** Writes the value of the only column as bytes; NULL is a message without a value. */
public final class RawEncoder extends Encoder {
    private static final long serialVersionUID = 1L;

    private final transient RawValue value;

    /** An encoder for rows of a type. */
    public RawEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.value = RawValue.of(schema, options);
    }

    private Object readResolve() {
        return new RawEncoder(schema, options);
    }

    @Override
    protected byte[] write(InternalRow row) {
        return row.isNullAt(0) ? null : value.write(row);
    }
}
