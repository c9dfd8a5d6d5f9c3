package penstock.formats.clickhouse.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.Encoder;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;

/** Writes ClickHouse's Avro: a message is an object container file. */
public final class AvroEncoder extends RecordsEncoder {
    private static final long serialVersionUID = 1L;
    private static final Map<String, CodecFactory> CODECS = Map.of(
            "null", CodecFactory.nullCodec(),
            "deflate", CodecFactory.deflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL),
            "snappy", CodecFactory.snappyCodec(),
            "zstd", CodecFactory.zstandardCodec(CodecFactory.DEFAULT_ZSTANDARD_LEVEL));

    private final transient CodecFactory codec;
    private final transient int blockSize;

    /** An encoder for rows of a type. */
    public AvroEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.codec = CODECS.get(options.text("output_format_avro_codec", "snappy"));
        this.blockSize = (int) options.number("output_format_avro_sync_interval", 16_384);
    }

    private Object readResolve() {
        return new AvroEncoder(schema, options);
    }

    @Override
    byte[] message(Iterable<InternalRow> messageRows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataFileWriter<InternalRow> file = new DataFileWriter<>(new RowWriter(rows))) {
            file.setCodec(codec).setSyncInterval(blockSize).create(rows.schema(), bytes);
            for (InternalRow row : messageRows) {
                file.append(row);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** What Avro's file asks to write a record. */
    private record RowWriter(ColumnWriters.Rows rows) implements DatumWriter<InternalRow> {
        @Override
        public void setSchema(Schema schema) {}

        @Override
        public void write(InternalRow row, Encoder out) throws IOException {
            rows.write(row, out);
        }
    }
}
