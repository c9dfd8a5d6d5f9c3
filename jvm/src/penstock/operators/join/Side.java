package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import penstock.operators.Changes;
import scala.Tuple2;
import scala.collection.Iterator;

/** The rows of one key on one side of a join: those kept, and how the batch changes them. */
final class Side {
    /** A row: how often it is there, how many partners it has, and both as they were. */
    static final class Entry {
        long count;
        long partners;
        final long countBefore;
        final long partnersBefore;

        private Entry(long count, long partners) {
            this.count = count;
            this.partners = partners;
            this.countBefore = count;
            this.partnersBefore = partners;
        }

        private boolean changed() {
            return count != countBefore || partners != partnersBefore;
        }
    }

    private final MapState<byte[], byte[]> state;
    private final Map<ByteBuffer, Long> changes = new LinkedHashMap<>();
    private final Map<ByteBuffer, Entry> entries = new HashMap<>();
    private boolean readAll;

    Side(StatefulProcessorHandle handle, String name, long ttlMillis) {
        state = handle.getMapState(
                name, Encoders.BINARY(), Encoders.BINARY(), Changes.ttl(ttlMillis));
    }

    /** Begin with another key. */
    void clear() {
        changes.clear();
        entries.clear();
        readAll = false;
    }

    void change(byte[] row, long by) {
        changes.merge(ByteBuffer.wrap(row), by, Long::sum);
    }

    /** How often each row came more than it went in this batch; nothing for those that are even. */
    Map<ByteBuffer, Long> changes() {
        changes.values().removeIf(by -> by == 0);
        return changes;
    }

    /** What is known of a row. */
    Entry entry(ByteBuffer row) {
        return entries.computeIfAbsent(row, key -> {
            byte[] kept = readAll ? null : state.getValue(key.array());
            return kept == null ? new Entry(0, 0) : read(kept);
        });
    }

    /** The rows that this batch changes. */
    Map<ByteBuffer, Entry> changed() {
        Map<ByteBuffer, Entry> rows = new LinkedHashMap<>();
        changes().keySet().forEach(row -> rows.put(row, entry(row)));
        return rows;
    }

    /** Every row that is there or was, those of this batch among them. */
    Map<ByteBuffer, Entry> all() {
        if (!readAll) {
            Iterator<Tuple2<byte[], byte[]>> kept = state.iterator();
            while (kept.hasNext()) {
                Tuple2<byte[], byte[]> row = kept.next();
                entries.computeIfAbsent(ByteBuffer.wrap(row._1()), key -> read(row._2()));
            }
            readAll = true;
        }
        return entries;
    }

    /** Whether there was a row before this batch. */
    boolean existed() {
        return readAll ? any(entry -> entry.countBefore > 0) : state.exists();
    }

    /** Whether there is a row now. */
    boolean exists() {
        if (changes().isEmpty()) {
            return existed();
        }
        if (any(entry -> entry.count > 0)) {
            return true;
        }
        all();
        return any(entry -> entry.count > 0);
    }

    private boolean any(Predicate<Entry> holds) {
        return entries.values().stream().anyMatch(holds);
    }

    /** Keep what became of the rows. */
    void save() {
        entries.forEach((row, entry) -> {
            if (!entry.changed()) {
                return;
            }
            if (entry.count > 0) {
                state.updateValue(row.array(), written(entry));
            } else if (entry.countBefore > 0) {
                state.removeKey(row.array());
            }
        });
    }

    private static Entry read(byte[] kept) {
        ByteBuffer buffer = ByteBuffer.wrap(kept);
        return new Entry(buffer.getLong(), buffer.getLong());
    }

    private static byte[] written(Entry entry) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(entry.count).putLong(entry.partners).array();
    }
}
