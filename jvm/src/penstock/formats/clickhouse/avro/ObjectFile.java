package penstock.formats.clickhouse.avro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import penstock.formats.avro.AvroBytes;

/**
 * Reads an object container file: a schema, then blocks of records. Avro's own reader makes room for
 * what a block says of its size before it looks whether the bytes are there.
 */
final class ObjectFile {
    private static final byte[] MAGIC = {'O', 'b', 'j', 1};
    private static final int SYNC_SIZE = 16;
    // Records without bytes are counted but not there.
    private static final long MAX_EMPTY_RECORDS = 1 << 20;

    private final AvroBytes in;
    private final String schema;
    private final Compression compression;
    private final byte[] sync = new byte[SYNC_SIZE];
    private long count;

    /** A file that begins at an offset. */
    ObjectFile(byte[] bytes, int offset) throws IOException {
        this.in = new AvroBytes(bytes, offset);
        byte[] magic = new byte[MAGIC.length];
        if (bytes.length - offset >= magic.length) {
            in.readFixed(magic);
        }
        if (!Arrays.equals(magic, MAGIC)) {
            throw new IOException("Invalid data file. Magic does not match");
        }
        Map<String, byte[]> facts = facts();
        byte[] text = facts.get("avro.schema");
        if (text == null) {
            throw new IOException("No schema in metadata");
        }
        this.schema = new String(text, StandardCharsets.UTF_8);
        this.compression = Compression.of(facts.get("avro.codec"));
        in.readFixed(sync);
    }

    private Map<String, byte[]> facts() {
        Map<String, byte[]> facts = new HashMap<>();
        for (long left = in.readMapStart(); left > 0; left = in.mapNext()) {
            for (long i = 0; i < left; i++) {
                String key = in.readString();
                facts.put(key, bytes(in.readBytes(null)));
            }
        }
        return facts;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    /** What the records were written with, as JSON. */
    String schema() {
        return schema;
    }

    /** The records of the next block, of which there are {@link #count}; null behind the last. */
    AvroBytes nextBlock() throws IOException {
        if (in.atEnd()) {
            return null;
        }
        count = in.readLong();
        byte[] block = compression.expanded(bytes(in.readBytes(null)));
        if (count < 0 || count > block.length + MAX_EMPTY_RECORDS) {
            throw new IOException("a block says that it has " + count + " records");
        }
        byte[] mark = new byte[SYNC_SIZE];
        in.readFixed(mark);
        if (!Arrays.equals(mark, sync)) {
            throw new IOException("Sync mismatch");
        }
        return new AvroBytes(block, 0);
    }

    /** How many records the block has. */
    long count() {
        return count;
    }
}
