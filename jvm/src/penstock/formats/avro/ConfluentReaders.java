package penstock.formats.avro;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.registry.Registry;
import penstock.formats.registry.Shared;
import penstock.formats.registry.Unusable;

/** Readers of one row type, one for each schema that messages were written with. */
final class ConfluentReaders {
    /** What stands before a record: a zero, and the id of its schema. */
    static final int HEADER_SIZE = 1 + Integer.BYTES;

    private static final Shared<ConfluentReaders> SHARED = new Shared<>();

    private final Schema reader;
    private final StructType type;
    private final Registry registry;
    private final Map<Integer, AvroReader> readers = new ConcurrentHashMap<>();
    private final Unusable unusable;

    private ConfluentReaders(StructType type, CodecOptions options) {
        this.reader = AvroSchemas.of(options);
        this.type = type;
        this.registry = new Registry(options);
        this.unusable = new Unusable(options);
    }

    /** The readers of a table's rows. */
    static ConfluentReaders of(StructType type, CodecOptions options) {
        return SHARED.of(type, options, () -> new ConfluentReaders(type, options));
    }

    /** The row of a message. */
    Object read(byte[] message) throws IOException {
        if (message.length == 0) {
            throw new EOFException("The message has no bytes");
        }
        if (message[0] != 0) {
            throw new IOException("Unknown data format. Magic number does not match");
        }
        if (message.length < HEADER_SIZE) {
            throw new EOFException("The message ends within the id of its schema");
        }
        return reader(ByteBuffer.wrap(message).getInt(1)).read(new AvroBytes(message, HEADER_SIZE));
    }

    private AvroReader reader(int id) throws IOException {
        AvroReader known = readers.get(id);
        if (known != null) {
            return known;
        }
        String refusal = unusable.reason(id);
        if (refusal != null) {
            throw new IOException(refusal);
        }
        try {
            AvroReader made = made(id);
            readers.put(id, made);
            return made;
        } catch (IOException | AvroRuntimeException e) {
            unusable.add(id, FieldException.firstLine(e));
            throw e;
        }
    }

    private AvroReader made(int id) throws IOException {
        Schema writer = registry.schema(id);
        if (writer == null) {
            throw new IOException("Could not find schema with id " + id + " in registry "
                    + registry.address());
        }
        return AvroReaders.rows(writer, reader, type);
    }
}
