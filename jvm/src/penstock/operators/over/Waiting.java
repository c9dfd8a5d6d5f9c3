package penstock.operators.over;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.ValueState;
import penstock.operators.OneTimer;
import penstock.operators.Saved;

/**
 * The rows of a partition that the watermark has not passed yet, and the one timer it has.
 *
 * <p>The rows that one batch brings of one time are an entry of the state. Beside them only the times
 * are kept, with how many entries each has.
 */
final class Waiting {
    private static final String TIMES = "times";
    private static final String ROWS = "waiting";

    private final ValueState<byte[]> kept;
    private final MapState<byte[], byte[]> rows;
    private final TreeMap<Long, Integer> parts = new TreeMap<>();
    private final OneTimer timer;

    Waiting(StatefulProcessorHandle handle) {
        timer = new OneTimer(handle);
        kept = handle.getValueState(TIMES, Encoders.BINARY(), TTLConfig.NONE());
        rows = handle.getMapState(ROWS, Encoders.BINARY(), Encoders.BINARY(), TTLConfig.NONE());
    }

    void load() {
        parts.clear();
        timer.load(OneTimer.NONE);
        byte[] saved = kept.get();
        if (saved != null) {
            ByteBuffer in = ByteBuffer.wrap(saved);
            timer.load(in.getLong());
            while (in.hasRemaining()) {
                parts.put(in.getLong(), in.getInt());
            }
        }
    }

    void save() {
        if (parts.isEmpty() && !timer.isSet()) {
            kept.clear();
            return;
        }
        ByteBuffer out = ByteBuffer.allocate(
                Long.BYTES + parts.size() * (Long.BYTES + Integer.BYTES)).putLong(timer.time());
        parts.forEach((time, count) -> out.putLong(time).putInt(count));
        kept.update(out.array());
    }

    /** Rows of one time, in their order, behind those of it that wait already. */
    void add(long time, List<Arrived> more) {
        int number = parts.merge(time, 1, Integer::sum) - 1;
        rows.updateValue(key(time, number), Saved.of(out -> {
            for (Arrived row : more) {
                Saved.putBytes(out, row.row());
                Saved.putBytes(out, row.inputs());
            }
        }));
    }

    /** The earliest time of a row, or none. */
    long first() {
        return parts.isEmpty() ? OneTimer.NONE : parts.firstKey();
    }

    /** Takes away the rows of the earliest time. */
    List<Arrived> poll() {
        var earliest = parts.pollFirstEntry();
        long time = earliest.getKey();
        List<Arrived> found = new ArrayList<>();
        for (int number = 0; number < earliest.getValue(); number++) {
            byte[] key = key(time, number);
            Saved.read(rows.getValue(key), in -> {
                while (in.available() > 0) {
                    found.add(new Arrived(Saved.bytes(in), Saved.bytes(in), found.size(), time));
                }
                return null;
            });
            rows.removeKey(key);
        }
        return found;
    }

    /** Whatever else is due, the timer goes off at this time or before. */
    void wakeBy(long time) {
        timer.wakeBy(time);
    }

    /** The timer has gone off. */
    void awake() {
        timer.awake();
    }

    private static byte[] key(long time, int number) {
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(time).putInt(number).array();
    }
}
