package penstock.formats.cdc;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import penstock.operators.RowKind;

/** The rows of one message, each with its kind and the metadata of the message. */
public final class Changes {
    private final List<Object> rows = new ArrayList<>(2);
    private final Object[] metadata;
    private final int columns;

    /** Rows whose metadata stands after so many columns. */
    public Changes(int columns, Object... metadata) {
        this.columns = columns;
        this.metadata = metadata;
    }

    /** Adds the row before an operation and the one after it, if it has them. */
    public void add(Operation operation, InternalRow before, InternalRow after) {
        boolean isUpdate = operation == Operation.UPDATE;
        if (operation.hasBefore()) {
            add(isUpdate ? RowKind.UPDATE_BEFORE : RowKind.DELETE, before);
        }
        if (operation.hasAfter()) {
            add(isUpdate ? RowKind.UPDATE_AFTER : RowKind.INSERT, after);
        }
    }

    void add(byte kind, InternalRow row) {
        for (int i = 0; i < metadata.length; i++) {
            row.update(columns + i, metadata[i]);
        }
        row.setByte(columns + metadata.length, kind);
        rows.add(row);
    }

    /** The rows, or null if there are none. */
    public ArrayData rows() {
        return rows.isEmpty() ? null : new GenericArrayData(rows.toArray());
    }
}
