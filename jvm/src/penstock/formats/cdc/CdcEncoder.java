package penstock.formats.cdc;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;
import penstock.formats.Utf8Buffer;
import penstock.formats.json.JsonRowWriter;
import penstock.formats.json.JsonWriters;
import penstock.operators.RowKind;

/** Writes each row as an insert or a delete: an update is the delete of the old row, then an insert. */
final class CdcEncoder extends Encoder {
    private static final long serialVersionUID = 1L;

    private final CdcFrame frame;
    private final transient int kind;
    private final transient JsonRowWriter row;
    private final transient String[] aroundInsert;
    private final transient String[] aroundDelete;

    CdcEncoder(StructType schema, CodecOptions options, CdcFrame frame) {
        super(schema, options);
        this.frame = frame;
        this.kind = schema.length() - 1;
        JsonWriters writers = new JsonWriters(options);
        StructType columns = new StructType(Arrays.copyOf(schema.fields(), kind));
        this.row = new JsonRowWriter(columns, writers);
        this.aroundInsert = frame.around(true, writers.ignoreNullFields());
        this.aroundDelete = frame.around(false, writers.ignoreNullFields());
    }

    private Object readResolve() {
        return new CdcEncoder(schema, options, frame);
    }

    @Override
    protected byte[] write(InternalRow value) {
        String[] around = RowKind.isPresent(value.getByte(kind)) ? aroundInsert : aroundDelete;
        Utf8Buffer out = Utf8Buffer.start();
        out.add(around[0]);
        row.write(value, out);
        out.add(around[1]);
        return out.finish();
    }
}
