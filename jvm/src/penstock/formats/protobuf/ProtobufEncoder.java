package penstock.formats.protobuf;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.Utf8Buffer;

/** Writes rows of one type as messages of Flink's {@code protobuf} format. */
public final class ProtobufEncoder extends Encoder {
    private static final long serialVersionUID = 1L;

    private final transient MessageWriter message;

    /** An encoder for rows of a type. */
    public ProtobufEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        String nullText = options.text("write-null-string-literal", "");
        this.message = new MessageWriter(MessageSpec.of(options), schema, nullText);
    }

    private Object readResolve() {
        return new ProtobufEncoder(schema, options);
    }

    @Override
    protected byte[] write(InternalRow row) {
        Utf8Buffer out = Utf8Buffer.start();
        message.write(row, out);
        return out.finish();
    }
}
