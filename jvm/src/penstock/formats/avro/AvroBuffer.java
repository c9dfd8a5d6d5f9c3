package penstock.formats.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import penstock.formats.BadRowException;
import penstock.formats.FieldException;

/** Room for the bytes of one message, which a thread fills again and again. */
final class AvroBuffer {
    private static final ThreadLocal<AvroBuffer> OF_THREAD =
            ThreadLocal.withInitial(AvroBuffer::new);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final BinaryEncoder binary = EncoderFactory.get().binaryEncoder(bytes, null);

    private AvroBuffer() {}

    /** Writes what a message holds. */
    interface Content {
        void write(Encoder out) throws IOException;
    }

    /** Makes the encoder that writes to a stream. */
    interface Encoding {
        Encoder to(ByteArrayOutputStream bytes) throws IOException;
    }

    /** The bytes of what is written in Avro's binary encoding. */
    static byte[] binary(Content content) {
        AvroBuffer buffer = OF_THREAD.get();
        // What a row that failed has left in the encoder goes to the bytes, and with them.
        EncoderFactory.get().binaryEncoder(buffer.bytes, buffer.binary);
        return buffer.filled(bytes -> buffer.binary, content);
    }

    /** The bytes of what is written in another encoding. */
    static byte[] encoded(Encoding encoding, Content content) {
        return OF_THREAD.get().filled(encoding, content);
    }

    private byte[] filled(Encoding encoding, Content content) {
        bytes.reset();
        try {
            Encoder out = encoding.to(bytes);
            content.write(out);
            out.flush();
        } catch (IOException | AvroRuntimeException | ArithmeticException e) {
            throw new BadRowException("", FieldException.firstLine(e));
        }
        return bytes.toByteArray();
    }
}
