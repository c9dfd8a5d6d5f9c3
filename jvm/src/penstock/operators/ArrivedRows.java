package penstock.operators;

import java.nio.ByteBuffer;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;

/**
 * The rows of a key in the order in which they came, an entry of the state for each.
 *
 * <p>Equal rows are one, with their count: of them the oldest goes first, so they stand where the
 * newest does. A row that goes leaves a gap, which is passed over once, when it is the last: a
 * change costs no look at the other rows.
 */
final class ArrivedRows {
    private final MapState<Long, byte[]> rows;
    private final MapState<byte[], byte[]> places;
    // Rows have numbers below it.
    private long end;
    private byte[] last;

    ArrivedRows(StatefulProcessorHandle handle, TTLConfig ttl) {
        rows = handle.getMapState("rows", Encoders.LONG(), Encoders.BINARY(), ttl);
        places = handle.getMapState("places", Encoders.BINARY(), Encoders.BINARY(), ttl);
    }

    /** The rows of another key, by the end that was kept of it; null where it has none. */
    void load(Long kept) {
        end = kept == null ? 0 : kept;
        last = null;
    }

    /** What must be kept beside the rows. */
    long end() {
        return end;
    }

    /** The row that came last, null if there is none. */
    byte[] last() {
        while (last == null && end > 0) {
            last = rows.getValue(end - 1);
            if (last == null) {
                end--;
            }
        }
        return last;
    }

    /** A row is there more or less often; if it came, it is the last one now. */
    void take(byte[] row, long more, boolean came) {
        Place before = Place.of(places.getValue(row));
        long count = more + (before == null ? 0 : before.count);
        if (before != null && (came || count <= 0)) {
            remove(before.number);
        }
        // What goes but was never there has expired before.
        if (count > 0) {
            put(row, came ? next() : before.number, count);
        } else if (before != null) {
            places.removeKey(row);
        }
    }

    private long next() {
        last();
        return end;
    }

    private void put(byte[] row, long number, long count) {
        // Both, though the row may be as it was: they expire together.
        rows.updateValue(number, row);
        places.updateValue(row, new Place(number, count).bytes());
        if (number == end) {
            end++;
            last = row;
        }
    }

    private void remove(long number) {
        rows.removeKey(number);
        if (number == end - 1) {
            end--;
            last = null;
        }
    }

    private record Place(long number, long count) {
        static Place of(byte[] bytes) {
            if (bytes == null) {
                return null;
            }
            ByteBuffer in = ByteBuffer.wrap(bytes);
            return new Place(in.getLong(), in.getLong());
        }

        byte[] bytes() {
            return ByteBuffer.allocate(2 * Long.BYTES).putLong(number).putLong(count).array();
        }
    }
}
