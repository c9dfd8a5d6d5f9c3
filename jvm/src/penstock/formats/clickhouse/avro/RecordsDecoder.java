package penstock.formats.clickhouse.avro;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadMessageException;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;
import penstock.formats.clickhouse.ColumnType;

/** Reads messages of records of Avro, any number of them in each. */
abstract class RecordsDecoder extends Decoder {
    private static final long serialVersionUID = 1L;

    private final transient List<ColumnType> columns;
    private final transient int skippedBytes;

    RecordsDecoder(StructType schema, CodecOptions options) {
        super(schema, ColumnType.zoned(options));
        this.columns = ColumnType.columns(this.options);
        this.skippedBytes = (int) options.number("kafka_schema_registry_skip_bytes", 0);
    }

    /** Reads all rows of a message, which begins at an offset. */
    abstract void read(byte[] message, int offset, List<InternalRow> rows) throws IOException;

    /** A reader of what a schema wrote. */
    final RowReader reader(Schema written) {
        return new RowReader(written, columns, options);
    }

    @Override
    public final ArrayData decode(byte[] message) {
        if (message.length <= skippedBytes) {
            return null;
        }
        List<InternalRow> rows = new ArrayList<>();
        try {
            read(message, skippedBytes, rows);
        } catch (FieldException e) {
            throw bad(e.path(), e.getMessage(), rows, message);
        } catch (IOException | AvroRuntimeException e) {
            throw bad("", FieldException.firstLine(e), rows, message);
        } catch (StackOverflowError e) {
            throw bad("", "It is nested too deeply", rows, message);
        }
        return rows.isEmpty() ? null : new GenericArrayData(rows.toArray());
    }

    private static BadMessageException bad(
            String path, String reason, List<InternalRow> rows, byte[] message) {
        return BadMessageException.of(
                path, reason + ": (at row " + (rows.size() + 1) + ")", message);
    }
}
