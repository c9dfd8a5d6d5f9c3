package penstock.formats.protobuf;

import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadMessageException;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;

/** Reads messages of Flink's {@code protobuf} format: one message is one row. */
public final class ProtobufDecoder extends Decoder {
    private static final long serialVersionUID = 1L;
    private static final String FAILURE = "Failed to deserialize PB object: ";

    private final transient MessageReader message;

    /** A decoder for the physical columns of a table. */
    public ProtobufDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.message = new MessageReader(MessageSpec.of(options), schema);
    }

    private Object readResolve() {
        return new ProtobufDecoder(schema, options);
    }

    @Override
    public ArrayData decode(byte[] bytes) {
        try {
            return new GenericArrayData(new Object[] {message.read(new WireInput(bytes, 0))});
        } catch (FieldException e) {
            throw BadMessageException.of(e.path(), FAILURE + e.getMessage(), bytes);
        }
    }

    /** As Flink: unlike an empty one, a message that is not there cannot be read. */
    @Override
    public ArrayData decodeNull() {
        throw BadMessageException.of("", FAILURE + "the message has no value", new byte[0]);
    }

    @Override
    public String function() {
        return "penstock_protobuf_decode";
    }
}
