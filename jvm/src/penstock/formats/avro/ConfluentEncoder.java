package penstock.formats.avro;

import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.RegistryException;
import penstock.formats.registry.Registry;

/**
 * Writes rows as Flink's {@code avro-confluent} format does. The schema is registered with the first
 * row; or, if that is not to be, the newest that is registered is written.
 */
public final class ConfluentEncoder implements Encoder {
    private static final long serialVersionUID = 1L;

    private final StructType schema;
    private final CodecOptions options;
    private final transient Schema avro;
    private transient volatile Target target;

    /** An encoder for rows of a type. */
    public ConfluentEncoder(StructType schema, CodecOptions options) {
        this.schema = schema;
        this.options = options;
        this.avro = AvroSchemas.parse(options.text("schema", null));
        // Types that the schema does not take are told before the first row.
        new AvroRowWriter(avro, schema);
    }

    private Object readResolve() {
        return new ConfluentEncoder(schema, options);
    }

    private record Target(byte[] header, AvroRowWriter row) {}

    @Override
    public byte[] encode(InternalRow value) {
        Target known = target();
        return AvroBuffer.binary(out -> {
            out.writeFixed(known.header);
            known.row.write(value, out);
        });
    }

    private Target target() {
        Target known = target;
        if (known == null) {
            known = found();
            target = known;
        }
        return known;
    }

    private Target found() {
        Registry registry = Registry.of(options);
        String subject = options.text("subject", null);
        if (options.flag("auto.register.schemas", true)) {
            return new Target(header(registry.register(subject, avro)),
                    new AvroRowWriter(avro, schema));
        }
        Registry.Registered latest = registry.latest(subject);
        try {
            return new Target(header(latest.id()), new AvroRowWriter(latest.schema(), schema));
        } catch (IllegalArgumentException e) {
            throw RegistryException.refused(RegistryException.Origin.of(options),
                    options.text("url", ""), "the newest schema under the subject '" + subject
                    + "' is not for this table: " + e.getMessage());
        }
    }

    private static byte[] header(int id) {
        return ByteBuffer.allocate(ConfluentReaders.HEADER_SIZE).put((byte) 0).putInt(id).array();
    }
}
