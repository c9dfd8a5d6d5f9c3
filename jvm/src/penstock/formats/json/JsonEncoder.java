package penstock.formats.json;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadRowException;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Writes rows of one type as Flink's {@code json} format does. */
public final class JsonEncoder implements Encoder {
    private static final long serialVersionUID = 1L;

    private final StructType schema;
    private final CodecOptions options;
    private final transient JsonRowWriter row;

    /** An encoder for rows of a type. */
    public JsonEncoder(StructType schema, CodecOptions options) {
        this.schema = schema;
        this.options = options;
        this.row = new JsonRowWriter(schema, new JsonWriters(options));
    }

    private Object readResolve() {
        return new JsonEncoder(schema, options);
    }

    @Override
    public byte[] encode(InternalRow value) {
        Utf8Buffer out = Utf8Buffer.start();
        try {
            row.write(value, out);
        } catch (FieldException e) {
            throw new BadRowException(e.path(), e.getMessage());
        }
        return out.finish();
    }
}
