package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import penstock.operators.Changes;
import scala.Tuple2;
import scala.collection.Iterator;

/** A side that may have any number of rows, also equal ones, which must all be told when they go. */
final class ManyRows extends Side {
    private final MapState<byte[], byte[]> state;
    private final Map<ByteBuffer, Long> changes = new LinkedHashMap<>();
    private final Map<ByteBuffer, Entry> entries = new HashMap<>();
    // With a time to live, what was told again is kept for that time from now on.
    private final Set<ByteBuffer> touched = new LinkedHashSet<>();
    private final boolean expires;
    private boolean readAll;

    ManyRows(StatefulProcessorHandle handle, String name, long ttlMillis) {
        state = handle.getMapState(
                name, Encoders.BINARY(), Encoders.BINARY(), Changes.ttl(ttlMillis));
        expires = ttlMillis > 0;
    }

    @Override
    void clear() {
        changes.clear();
        entries.clear();
        touched.clear();
        readAll = false;
    }

    @Override
    void take(byte[] row, boolean comes, long at) {
        ByteBuffer taken = ByteBuffer.wrap(row);
        changes.merge(taken, comes ? 1L : -1L, Long::sum);
        if (expires && comes) {
            touched.add(taken);
        }
    }

    @Override
    Map<ByteBuffer, Long> changes() {
        changes.values().removeIf(by -> by == 0);
        return changes;
    }

    @Override
    Entry entry(ByteBuffer row) {
        return entries.computeIfAbsent(row, key -> {
            byte[] kept = readAll ? null : state.getValue(key.array());
            return kept == null ? new Entry(0, 0) : read(kept);
        });
    }

    @Override
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

    @Override
    boolean existed() {
        return readAll ? any(entry -> entry.countBefore > 0) : state.exists();
    }

    @Override
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

    @Override
    List<ByteBuffer> again() {
        Set<ByteBuffer> changed = changes().keySet();
        return touched.stream()
                .filter(row -> !changed.contains(row) && entry(row).count > 0).toList();
    }

    @Override
    void save() {
        touched.forEach(row -> entry(row).isTouched = true);
        entries.forEach((row, entry) -> {
            if (entry.changed() && entry.count > 0) {
                state.updateValue(row.array(), written(entry));
            } else if (entry.changed() && entry.countBefore > 0) {
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
