package penstock.formats.protobuf;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadRowException;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Writes rows of one type as messages of Flink's {@code protobuf} format. */
public final class ProtobufEncoder implements Encoder {
    private static final long serialVersionUID = 1L;

    private final StructType schema;
    private final CodecOptions options;
    private final transient MessageWriter message;

    /** An encoder for rows of a type. */
    public ProtobufEncoder(StructType schema, CodecOptions options) {
        this.schema = schema;
        this.options = options;
        String nullText = options.text("write-null-string-literal", "");
        this.message = new MessageWriter(MessageSpec.of(options), schema, nullText);
    }

    private Object readResolve() {
        return new ProtobufEncoder(schema, options);
    }

    @Override
    public byte[] encode(InternalRow row) {
        Utf8Buffer out = Utf8Buffer.start();
        try {
            message.write(row, out);
        } catch (FieldException e) {
            throw new BadRowException(e.path(), e.getMessage());
        }
        return out.finish();
    }
}
