package penstock.formats.clickhouse.avro;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadRowException;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.FieldException;
import penstock.formats.RowsEncoder;
import penstock.formats.clickhouse.ColumnType;

/** Writes messages of records of Avro, any number of them in each. */
abstract class RecordsEncoder extends Encoder implements RowsEncoder {
    private static final long serialVersionUID = 1L;

    final transient ColumnWriters.Rows rows;

    RecordsEncoder(StructType schema, CodecOptions options) {
        super(schema, ColumnType.zoned(options));
        this.rows = ColumnWriters.rows(ColumnType.columns(this.options), this.options);
    }

    /** The bytes of a message of these rows. */
    abstract byte[] message(Iterable<InternalRow> messageRows);

    @Override
    protected final byte[] write(InternalRow row) {
        return message(List.of(row));
    }

    @Override
    public final byte[] encodeAll(ArrayData array) {
        if (array.numElements() == 0) {
            return null;
        }
        try {
            return message(IntStream.range(0, array.numElements())
                    .mapToObj(i -> array.getStruct(i, schema.length()))::iterator);
        } catch (FieldException e) {
            throw new BadRowException(e.path(), e.getMessage());
        }
    }
}
