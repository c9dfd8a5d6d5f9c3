package penstock.operators.aggregate;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.streaming.MapState;
import penstock.catalyst.Packed;
import penstock.operators.Stores;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * How often each value is in a group, one entry of the state for each.
 *
 * <p>The changes of a batch are summed up first, so that the state is asked once per value. With a
 * time to live a value that comes again as it was is kept for that time from now on.
 */
final class CountMap {
    /** Told of a value that came or went. */
    interface Listener {
        /** The value's count was {@code before} and is {@code after}. */
        void changed(byte[] value, long before, long after);
    }

    private final MapState<byte[], Long> state;
    private final boolean expires;
    private final Map<ByteBuffer, Long> changes = new HashMap<>();

    CountMap(Stores stores) {
        state = stores.numbers();
        expires = stores.expire();
    }

    void clear() {
        changes.clear();
    }

    void change(UnsafeRow value, long by) {
        changes.merge(ByteBuffer.wrap(Packed.bytes(value)), by, Long::sum);
    }

    /** Keep the counts of this batch. */
    void settle(Listener listener) {
        if (!expires) {
            changes.values().removeIf(by -> by == 0);
        }
        changes.forEach((row, by) -> {
            byte[] value = row.array();
            Long kept = state.getValue(value);
            long before = kept == null ? 0 : kept;
            // A value that was never there has expired before it was taken back.
            long after = Math.max(0, before + by);
            if (after > 0) {
                state.updateValue(value, after);
            } else if (before > 0) {
                state.removeKey(value);
            }
            if (by != 0) {
                listener.changed(value, before, after);
            }
        });
        changes.clear();
    }

    /** Every value of the group, as often as it is kept. */
    void forEach(Listener listener) {
        Iterator<Tuple2<byte[], Long>> entries = state.iterator();
        while (entries.hasNext()) {
            Tuple2<byte[], Long> entry = entries.next();
            listener.changed(entry._1(), 0, entry._2());
        }
    }

    void forget() {
        changes.clear();
        state.clear();
    }
}
