package penstock.formats.cdc;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.json.JsonPartialRow;
import penstock.operators.RowKind;

/** Reads messages that hold rows and, of an update, those of their old fields that it changed. */
abstract class DataOldDecoder extends CdcDecoder {
    private static final long serialVersionUID = 1L;
    private static final int DATA = FIRST;
    private static final int OLD = SECOND;

    /** A decoder for the columns of a table. */
    protected DataOldDecoder(
            StructType schema, CodecOptions options, CdcFormat format, String... texts) {
        super(schema, options, format, texts);
    }

    @Override
    protected final void add(Operation operation, GenericInternalRow message, Changes changes) {
        if (operation == Operation.NOTHING) {
            return;
        }
        Object[] data = rows(message, DATA, operation);
        if (operation == Operation.UPDATE) {
            addUpdates(data, rows(message, OLD, operation), changes);
            return;
        }
        byte kind = operation == Operation.INSERT ? RowKind.INSERT : RowKind.DELETE;
        for (Object row : data) {
            changes.add(kind, (InternalRow) row);
        }
    }

    private static void addUpdates(Object[] data, Object[] old, Changes changes) {
        if (old.length != data.length) {
            throw new FieldException("The \"old\" field of UPDATE message has " + old.length
                    + " rows, its \"data\" field " + data.length);
        }
        for (int i = 0; i < data.length; i++) {
            GenericInternalRow after = (GenericInternalRow) data[i];
            changes.add(RowKind.UPDATE_BEFORE, ((JsonPartialRow) old[i]).over(after));
            changes.add(RowKind.UPDATE_AFTER, after);
        }
    }

    private Object[] rows(GenericInternalRow message, int slot, Operation operation) {
        Object[] rows = ((GenericArrayData) required(message, slot, operation)).array();
        for (Object row : rows) {
            if (row == null) {
                throw new FieldException("A row of the " + operation + " message is null");
            }
        }
        return rows;
    }
}
