package penstock.formats.clickhouse.avro;

import java.io.IOException;
import java.util.List;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.avro.AvroBytes;

/** Reads ClickHouse's Avro: a message is an object container file. */
public final class AvroDecoder extends RecordsDecoder {
    private static final long serialVersionUID = 1L;

    // The messages of a topic mostly have one schema.
    private transient volatile Known last;

    /** A decoder for the columns of a table. */
    public AvroDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
    }

    private record Known(String schema, RowReader reader) {}

    private Object readResolve() {
        return new AvroDecoder(schema, options);
    }

    @Override
    void read(byte[] message, int offset, List<InternalRow> rows) throws IOException {
        ObjectFile file = new ObjectFile(message, offset);
        RowReader reader = reader(file.schema());
        for (AvroBytes block = file.nextBlock(); block != null; block = file.nextBlock()) {
            for (long i = 0; i < file.count(); i++) {
                rows.add(reader.read(block));
            }
        }
    }

    private RowReader reader(String written) {
        Known known = last;
        if (known == null || !known.schema.equals(written)) {
            // ClickHouse takes any names; defaults are the writer's, and nobody reads them.
            Schema parsed = new Schema.Parser(NameValidator.NO_VALIDATION)
                    .setValidateDefaults(false).parse(written);
            known = new Known(written, reader(parsed));
            last = known;
        }
        return known.reader;
    }

    @Override
    public String function() {
        return "penstock_ch_avro_decode";
    }
}
