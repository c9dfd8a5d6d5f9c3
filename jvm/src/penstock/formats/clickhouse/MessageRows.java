package penstock.formats.clickhouse;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import penstock.formats.BadMessageException;
import penstock.formats.FieldException;

/** The rows of a message, those that can be read and how many cannot. */
final class MessageRows {
    private final List<InternalRow> rows = new ArrayList<>();
    private FieldException first;
    private int firstPlace;
    private int broken;

    void add(InternalRow row) {
        rows.add(row);
    }

    /** One more row cannot be read; reading goes on behind it. */
    void broken(FieldException error) {
        if (first == null) {
            first = error;
            firstPlace = place();
        }
        broken++;
    }

    /** Whether no row was met so far. */
    boolean isEmpty() {
        return rows.isEmpty() && broken == 0;
    }

    /**
     * The rows, null if there are none.
     *
     * @throws BadMessageException if some cannot be read, with the others
     */
    ArrayData found(byte[] message) {
        ArrayData all = rows.isEmpty() ? null : new GenericArrayData(rows.toArray());
        if (first == null) {
            return all;
        }
        throw failure(first, firstPlace, message).beside(all, broken);
    }

    /** The message as a whole cannot be read; what was wrong first is told. */
    BadMessageException failure(FieldException error, byte[] message) {
        return first == null
                ? failure(error, place(), message) : failure(first, firstPlace, message);
    }

    private int place() {
        return rows.size() + broken + 1;
    }

    private static BadMessageException failure(FieldException error, int place, byte[] message) {
        String reason = error.getMessage() + ": (at row " + place + ")";
        return BadMessageException.of(error.path(), reason, message);
    }
}
