package penstock.formats.clickhouse.avro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.avro.AvroBytes;
import penstock.formats.registry.Registry;
import penstock.formats.registry.Shared;
import penstock.formats.registry.Unusable;

/** Reads ClickHouse's AvroConfluent: records, each behind the id of its schema in a registry. */
public final class ConfluentDecoder extends RecordsDecoder {
    private static final long serialVersionUID = 1L;
    private static final int HEADER_SIZE = 1 + Integer.BYTES;

    private static final Shared<Known> SHARED = new Shared<>();

    private final transient Known known;

    /** What the tasks of a query have found out about the schemas of its messages. */
    private record Known(Registry registry, Map<Integer, RowReader> readers, Unusable unusable) {}

    /** A decoder for the columns of a table. */
    public ConfluentDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.known = SHARED.of(schema, options, () -> new Known(
                new Registry(options), new ConcurrentHashMap<>(), new Unusable(options)));
    }

    private Object readResolve() {
        return new ConfluentDecoder(schema, options);
    }

    @Override
    void read(byte[] message, int offset, List<InternalRow> rows) throws IOException {
        AvroBytes in = new AvroBytes(message, offset);
        while (!in.atEnd()) {
            rows.add(reader(id(in)).read(in));
        }
    }

    private static int id(AvroBytes in) {
        byte[] header = new byte[HEADER_SIZE];
        in.readFixed(header, 0, 1);
        if (header[0] != 0) {
            throw new FieldException("Invalid magic byte before AvroConfluent schema identifier."
                    + " Must be zero byte, found " + (header[0] & 0xFF) + " instead");
        }
        try {
            in.readFixed(header, 1, Integer.BYTES);
        } catch (FieldException e) {
            throw new FieldException("Missing AvroConfluent magic byte or schema identifier");
        }
        return ByteBuffer.wrap(header).getInt(1);
    }

    private RowReader reader(int id) {
        RowReader found = known.readers.get(id);
        if (found != null) {
            return found;
        }
        String refusal = known.unusable.reason(id);
        if (refusal != null) {
            throw new FieldException(refusal);
        }
        try {
            found = made(id);
        } catch (FieldException | AvroRuntimeException e) {
            known.unusable.add(id, FieldException.firstLine(e));
            throw e;
        }
        known.readers.put(id, found);
        return found;
    }

    private RowReader made(int id) {
        Schema written = known.registry.schema(id);
        if (written == null) {
            throw new FieldException("Could not find schema with id " + id + " in registry");
        }
        return reader(written);
    }

    @Override
    public String function() {
        return "penstock_ch_avro_confluent_decode";
    }
}
