package penstock.formats.raw;

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadMessageException;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;

/** Reads messages of Flink's {@code raw} format: the bytes are the value of the only column. */
public final class RawDecoder extends Decoder {
    private static final long serialVersionUID = 1L;

    private final transient RawValue value;

    /** A decoder for a table of one column. */
    public RawDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.value = RawValue.of(schema, options);
    }

    private Object readResolve() {
        return new RawDecoder(schema, options);
    }

    @Override
    public ArrayData decode(byte[] message) {
        try {
            return row(value.read(message));
        } catch (FieldException e) {
            throw BadMessageException.of(schema.fields()[0].name(), e.getMessage(), message);
        }
    }

    /** A message without a value is a row whose column is NULL. */
    @Override
    public ArrayData decodeNull() {
        return row(null);
    }

    private static ArrayData row(Object value) {
        return new GenericArrayData(new Object[] {new GenericInternalRow(new Object[] {value})});
    }

    @Override
    public String function() {
        return "penstock_raw_decode";
    }
}
