package penstock.formats.clickhouse.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.registry.Registry;

/** Writes ClickHouse's AvroConfluent: records, each behind the id that their schema is given. */
public final class ConfluentEncoder extends RecordsEncoder {
    private static final long serialVersionUID = 1L;

    /** An encoder for rows of a type. */
    public ConfluentEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
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

    /** The registry keeps what it was asked once. */
    private byte[] header() {
        int id = Registry.of(options).register(options.text("subject", null), rows.schema());
        return ByteBuffer.allocate(1 + Integer.BYTES).put((byte) 0).putInt(id).array();
    }
}
