package penstock.formats.clickhouse.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.registry.Registry;
import penstock.formats.registry.Shared;

/** Writes ClickHouse's AvroConfluent: records, each behind the id that their schema is given. */
public final class ConfluentEncoder extends RecordsEncoder {
    private static final long serialVersionUID = 1L;
    private static final Shared<AtomicReference<byte[]>> SHARED = new Shared<>();

    private final transient AtomicReference<byte[]> header;

    /** An encoder for rows of a type. */
    public ConfluentEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.header = SHARED.of(schema, options, AtomicReference::new);
    }

    private Object readResolve() {
        return new ConfluentEncoder(schema, options);
    }

    @Override
    byte[] message(Iterable<InternalRow> messageRows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
        try {
            for (InternalRow row : messageRows) {
                out.writeFixed(header());
                rows.write(row, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** What stands before each record; the schema is registered with the first. */
    private byte[] header() {
        byte[] known = header.get();
        if (known == null) {
            String subject = options.text("subject", null);
            int id = new Registry(options).register(subject, rows.schema());
            known = ByteBuffer.allocate(1 + Integer.BYTES).put((byte) 0).putInt(id).array();
            header.set(known);
        }
        return known;
    }
}
