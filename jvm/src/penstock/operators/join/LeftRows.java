package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.ValueState;
import penstock.operators.Changes;
import scala.Tuple2;
import scala.collection.Iterator;

/** The left rows of one key whose time the watermark has not passed, in the order they came. */
final class LeftRows {
    /** When nothing is due. */
    static final long NEVER = Long.MAX_VALUE;

    /**
     * A row of the left side.
     *
     * @param until what the watermark must pass, in microseconds
     * @param comes whether it comes or goes
     * @param lonely whether it has no key to find a version by
     */
    record Entry(long until, boolean comes, boolean lonely, byte[] row) {
        private byte[] written() {
            byte flags = (byte) ((comes ? 1 : 0) | (lonely ? 2 : 0));
            return ByteBuffer.allocate(Long.BYTES + 1 + row.length)
                    .putLong(until).put(flags).put(row).array();
        }

        private static Entry read(byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            long until = buffer.getLong();
            byte flags = buffer.get();
            byte[] row = new byte[buffer.remaining()];
            buffer.get(row);
            return new Entry(until, (flags & 1) > 0, (flags & 2) > 0, row);
        }
    }

    private final MapState<Long, byte[]> rows;
    private final ValueState<byte[]> saved;
    private final List<Entry> arrived = new ArrayList<>();
    private long number;
    private long due;

    LeftRows(StatefulProcessorHandle handle) {
        rows = handle.getMapState(
                "waiting", Encoders.LONG(), Encoders.BINARY(), Changes.ttl(0));
        saved = handle.getValueState("due", Encoders.BINARY(), Changes.ttl(0));
    }

    /** Begin with another key. */
    void load() {
        arrived.clear();
        byte[] bytes = saved.get();
        ByteBuffer buffer = bytes == null ? null : ByteBuffer.wrap(bytes);
        number = buffer == null ? 0 : buffer.getLong();
        due = buffer == null ? NEVER : buffer.getLong();
    }

    /** When the first of the rows is due. */
    long due() {
        return due;
    }

    void add(Entry entry) {
        arrived.add(entry);
    }

    /** The rows that the watermark has passed, which wait no longer; the others are kept. */
    List<Entry> passed(long watermarkMicros) {
        List<Entry> found = new ArrayList<>();
        boolean changed = due <= watermarkMicros;
        if (changed) {
            due = NEVER;
            kept().forEach((place, entry) -> {
                if (take(entry, watermarkMicros, found)) {
                    rows.removeKey(place);
                }
            });
        }
        for (Entry entry : arrived) {
            if (!take(entry, watermarkMicros, found)) {
                rows.updateValue(number++, entry.written());
                changed = true;
            }
        }
        if (changed) {
            save();
        }
        return found;
    }

    private boolean take(Entry entry, long watermarkMicros, List<Entry> found) {
        if (entry.until() <= watermarkMicros) {
            found.add(entry);
            return true;
        }
        due = Math.min(due, entry.until());
        return false;
    }

    private TreeMap<Long, Entry> kept() {
        TreeMap<Long, Entry> found = new TreeMap<>();
        Iterator<Tuple2<Long, byte[]>> all = rows.iterator();
        while (all.hasNext()) {
            Tuple2<Long, byte[]> row = all.next();
            found.put(row._1(), Entry.read(row._2()));
        }
        return found;
    }

    private void save() {
        if (due == NEVER) {
            saved.clear();
        } else {
            saved.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(number).putLong(due).array());
        }
    }
}
