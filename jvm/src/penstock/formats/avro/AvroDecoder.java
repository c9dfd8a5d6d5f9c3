package penstock.formats.avro;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadMessageException;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;

/**
 * Reads messages of Flink's {@code avro} format: one record, without its schema, which is that of
 * the table.
 */
public final class AvroDecoder extends Decoder {
    private static final long serialVersionUID = 1L;
    private static final String FAILED = "Failed to deserialize Avro record. ";

    private final transient Schema avro;
    private final transient boolean isJson;
    private final transient AvroReader row;

    /** A decoder for the physical columns of a table. */
    public AvroDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.avro = AvroSchemas.parse(options.text("schema", null));
        this.isJson = options.text("encoding", "binary").equals("json");
        this.row = AvroReaders.rows(avro, avro, schema);
    }

    private Object readResolve() {
        return new AvroDecoder(schema, options);
    }

    @Override
    public ArrayData decode(byte[] message) {
        return decoded(message, () -> row.read(isJson
                ? DecoderFactory.get().jsonDecoder(avro, new ByteArrayInputStream(message))
                : new AvroBytes(message, 0)));
    }

    /** Gives the row of a message. */
    interface Reading {
        Object row() throws IOException;
    }

    /** The only row of a message, or what Avro has to say against it. */
    static ArrayData decoded(byte[] message, Reading reading) {
        try {
            return new GenericArrayData(new Object[] {reading.row()});
        } catch (FieldException e) {
            throw BadMessageException.of(e.path(), FAILED + e.getMessage(), message);
        } catch (IOException | AvroRuntimeException | ArithmeticException e) {
            throw BadMessageException.of("", FAILED + FieldException.firstLine(e), message);
        } catch (StackOverflowError e) {
            throw BadMessageException.of("", FAILED + "It is nested too deeply.", message);
        }
    }

    @Override
    public String function() {
        return "penstock_avro_decode";
    }
}
