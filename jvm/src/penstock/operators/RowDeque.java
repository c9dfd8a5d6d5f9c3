package penstock.operators;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.apache.spark.sql.streaming.MapState;

/**
 * Rows of a key one behind the other, an entry of the state for each: what comes and goes at either
 * end costs no look at the others. Rows that come and go within a batch never reach the state.
 */
public final class RowDeque {
    private final MapState<Long, byte[]> state;
    private final ArrayDeque<byte[]> fresh = new ArrayDeque<>();
    // The rows of the state are numbered from the first up to, but not including, the end.
    private long first;
    private long end;
    private byte[] head;
    private byte[] tail;

    RowDeque(MapState<Long, byte[]> state) {
        this.state = state;
    }

    /** As for a key without rows. */
    public void clear() {
        fresh.clear();
        first = 0;
        end = 0;
        head = null;
        tail = null;
    }

    /** As it was saved. */
    public void load(DataInput in) throws IOException {
        clear();
        first = in.readLong();
        end = in.readLong();
    }

    /** Keeps the rows, and writes what must be known of them. */
    public void save(DataOutput out) throws IOException {
        for (byte[] row : fresh) {
            state.updateValue(end++, row);
        }
        fresh.clear();
        tail = null;
        out.writeLong(first);
        out.writeLong(end);
    }

    /** How many rows there are. */
    public long size() {
        return end - first + fresh.size();
    }

    /** Adds a row at the end. */
    public void addLast(byte[] row) {
        fresh.addLast(row);
    }

    /** The first row, null if there is none. */
    public byte[] peekFirst() {
        if (first == end) {
            return fresh.peekFirst();
        }
        if (head == null) {
            head = state.getValue(first);
        }
        return head;
    }

    /** Takes the first row away. */
    public byte[] pollFirst() {
        if (first == end) {
            return fresh.pollFirst();
        }
        byte[] found = peekFirst();
        state.removeKey(first++);
        head = null;
        return found;
    }

    /** The last row, null if there is none. */
    public byte[] peekLast() {
        if (first == end || !fresh.isEmpty()) {
            return fresh.peekLast();
        }
        if (tail == null) {
            tail = state.getValue(end - 1);
        }
        return tail;
    }

    /** Takes the last row away. */
    public byte[] pollLast() {
        if (first == end || !fresh.isEmpty()) {
            return fresh.pollLast();
        }
        byte[] found = peekLast();
        state.removeKey(--end);
        tail = null;
        if (first == end) {
            head = null;
        }
        return found;
    }

    /** All rows in their order. */
    public void forEach(Consumer<byte[]> taker) {
        for (long number = first; number < end; number++) {
            taker.accept(state.getValue(number));
        }
        fresh.forEach(taker);
    }

    /** Forgets all rows. */
    public void forget() {
        clear();
        state.clear();
    }
}
