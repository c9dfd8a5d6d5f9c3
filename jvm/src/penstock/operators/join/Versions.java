package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import penstock.operators.Changes;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * The versions of one key of the right side, by the time since which each is one. That a row went is
 * a version without bytes.
 */
final class Versions {
    private static final byte[] GONE = {};

    private final TemporalSpec spec;
    private final MapState<Long, byte[]> state;
    private final TreeMap<Long, byte[]> versions = new TreeMap<>();
    // What the state lacks of them: null is a version that goes.
    private final Map<Long, byte[]> changes = new TreeMap<>();
    private boolean read;

    Versions(TemporalSpec spec, StatefulProcessorHandle handle) {
        this.spec = spec;
        state = handle.getMapState(
                "versions", Encoders.LONG(), Encoders.BINARY(), Changes.ttl(0));
    }

    /** Begin with another key. */
    void clear() {
        versions.clear();
        changes.clear();
        read = false;
    }

    /** A row of the right side; of those of one time the one that comes last counts. */
    void add(long time, boolean isThere, byte[] row, long watermarkMicros) {
        load();
        if (isVersion(time, watermarkMicros)) {
            if (spec.keep() == TemporalSpec.Keep.FIRST) {
                versions.keySet().forEach(other -> changes.put(other, null));
                versions.clear();
            }
            byte[] bytes = isThere ? row : GONE;
            versions.put(time, bytes);
            changes.put(time, bytes);
        }
    }

    private boolean isVersion(long time, long watermarkMicros) {
        return switch (spec.keep()) {
            case ALL -> true;
            case LAST -> versions.isEmpty() || time >= versions.lastKey();
            case FIRST -> !isLate(time, watermarkMicros)
                    && (versions.isEmpty() || time < versions.firstKey());
        };
    }

    private boolean isLate(long time, long watermarkMicros) {
        return !spec.atEnd() && spec.shown(time) < watermarkMicros;
    }

    /** The row that was there at a time, null for none. */
    ByteBuffer at(long time) {
        load();
        Map.Entry<Long, byte[]> version = versions.floorEntry(time);
        boolean isThere = version != null && version.getValue().length > 0;
        return isThere ? ByteBuffer.wrap(version.getValue()) : null;
    }

    /** Keep what changed, and forget versions that no row of the left side can ask for any more. */
    void save(long watermarkMicros) {
        if (spec.atEnd() || !read) {
            return;
        }
        while (versions.size() > 1 && spec.isPassed(second(), watermarkMicros)) {
            changes.put(versions.pollFirstEntry().getKey(), null);
        }
        changes.forEach((time, row) -> {
            if (row == null) {
                state.removeKey(time);
            } else {
                state.updateValue(time, row);
            }
        });
    }

    private long second() {
        return versions.higherKey(versions.firstKey());
    }

    private void load() {
        if (read || spec.atEnd()) {
            return;
        }
        Iterator<Tuple2<Long, byte[]>> kept = state.iterator();
        while (kept.hasNext()) {
            Tuple2<Long, byte[]> version = kept.next();
            versions.put(version._1(), version._2());
        }
        read = true;
    }
}
