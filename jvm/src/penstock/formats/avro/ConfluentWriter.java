package penstock.formats.avro;

import java.nio.ByteBuffer;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.RegistryException;
import penstock.formats.registry.Registry;
import penstock.formats.registry.Shared;

/**
 * Writes rows of one type behind the id of their schema. It is registered with the first row; or, if
 * that is not to be, the newest that is registered is written.
 */
final class ConfluentWriter {
    private static final Shared<ConfluentWriter> SHARED = new Shared<>();

    private final StructType type;
    private final CodecOptions options;
    private final Schema schema;
    private final AvroWriters.Rows rows;
    private volatile Target target;

    private ConfluentWriter(StructType type, CodecOptions options) {
        this.type = type;
        this.options = options;
        this.schema = AvroSchemas.of(options);
        this.rows = AvroWriters.rows(schema, type);
    }

    /**
     * The writer of a table's rows.
     *
     * @throws IllegalArgumentException if the table's schema does not take the type
     */
    static ConfluentWriter of(StructType type, CodecOptions options) {
        return SHARED.of(type, options, () -> new ConfluentWriter(type, options));
    }

    private record Target(byte[] header, AvroWriters.Rows rows) {}

    /** The message of a row. */
    byte[] message(InternalRow row) {
        Target known = target;
        if (known == null) {
            known = found();
            target = known;
        }
        Target chosen = known;
        return AvroBuffer.binary(out -> {
            out.writeFixed(chosen.header);
            chosen.rows.write(row, out);
        });
    }

    private Target found() {
        Registry registry = new Registry(options);
        String subject = options.text("subject", null);
        if (options.flag("auto.register.schemas", true)) {
            return new Target(header(registry.register(subject, schema)), rows);
        }
        try {
            Registry.Registered latest = registry.latest(subject);
            return new Target(header(latest.id()), AvroWriters.rows(latest.schema(), type));
        } catch (IllegalArgumentException | AvroRuntimeException e) {
            RegistryException.Origin origin = RegistryException.Origin.of(options);
            throw RegistryException.refused(origin, registry.address(),
                    "the newest schema under the subject '" + subject + "' is not for this table: "
                    + FieldException.firstLine(e),
                    "change the columns or what is registered, or name another subject with "
                    + origin.option("subject"));
        }
    }

    private static byte[] header(int id) {
        return ByteBuffer.allocate(ConfluentReaders.HEADER_SIZE).put((byte) 0).putInt(id).array();
    }
}
