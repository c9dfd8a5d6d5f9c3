package penstock.formats.avro;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.registry.Registry;

/**
 * Readers of one row type, one for each schema that messages were written with. The tasks of a
 * process share them: a batch does not resolve again what the last one has.
 */
final class ConfluentReaders {
    /** What stands before a record: a zero, and the id of its schema. */
    static final int HEADER_SIZE = 1 + Integer.BYTES;

    private static final Map<Table, ConfluentReaders> OPEN = new ConcurrentHashMap<>();

    private final Schema reader;
    private final StructType type;
    private final CodecOptions options;
    private final Map<Integer, AvroReader> readers = new ConcurrentHashMap<>();

    private record Table(StructType type, CodecOptions options) {}

    private ConfluentReaders(StructType type, CodecOptions options) {
        this.reader = AvroSchemas.of(options);
        this.type = type;
        this.options = options;
    }

    /** The readers of a table's rows. */
    static ConfluentReaders of(StructType type, CodecOptions options) {
        return OPEN.computeIfAbsent(new Table(type, options),
                table -> new ConfluentReaders(table.type, table.options));
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
        int id = ByteBuffer.wrap(message).getInt(1);
        AvroReader known = readers.get(id);
        if (known == null) {
            known = compiled(id);
            readers.put(id, known);
        }
        return known.read(new AvroBytes(message, HEADER_SIZE));
    }

    private AvroReader compiled(int id) throws IOException {
        Schema writer = Registry.of(options).schema(id);
        if (writer == null) {
            throw new IOException("Could not find schema with id " + id + " in registry");
        }
        return AvroReaders.rows(writer, reader, type);
    }
}
