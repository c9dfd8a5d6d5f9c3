package penstock.formats.json;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.Utf8Buffer;

/** Writes rows of one type as Flink's {@code json} format does. */
public final class JsonEncoder extends Encoder {
    private static final long serialVersionUID = 1L;

    private final transient JsonRowWriter row;

    /** An encoder for rows of a type. */
    public JsonEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.row = new JsonRowWriter(schema, new JsonWriters(options));
    }

    private Object readResolve() {
        return new JsonEncoder(schema, options);
    }

    @Override
    protected byte[] write(InternalRow value) {
        Utf8Buffer out = Utf8Buffer.start();
        row.write(value, out);
        return out.finish();
    }
}
