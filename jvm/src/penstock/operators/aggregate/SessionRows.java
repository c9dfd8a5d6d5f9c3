package penstock.operators.aggregate;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.ValueState;
import penstock.operators.OneTimer;
import penstock.operators.Saved;

/**
 * The rows of a group whose sessions are not over, by their time, and the one timer it has.
 *
 * <p>The rows of one time are an entry of the state, each with how often it is there. Beside them only
 * the times are kept: which of them are one session follows from what is left of them.
 */
final class SessionRows {
    private static final String TIMES = "times";
    private static final String ROWS = "session";

    private final long gap;
    private final ValueState<byte[]> kept;
    private final MapState<Long, byte[]> rows;
    private final TreeSet<Long> times = new TreeSet<>();
    private final Map<Long, Map<ByteBuffer, Long>> touched = new HashMap<>();
    private final OneTimer timer;

    SessionRows(StatefulProcessorHandle handle, long gap) {
        timer = new OneTimer(handle);
        this.gap = gap;
        kept = handle.getValueState(TIMES, Encoders.BINARY(), TTLConfig.NONE());
        rows = handle.getMapState(ROWS, Encoders.LONG(), Encoders.BINARY(), TTLConfig.NONE());
    }

    void load() {
        times.clear();
        touched.clear();
        timer.load(OneTimer.NONE);
        byte[] saved = kept.get();
        if (saved != null) {
            ByteBuffer in = ByteBuffer.wrap(saved);
            timer.load(in.getLong());
            while (in.hasRemaining()) {
                times.add(in.getLong());
            }
        }
    }

    void save() {
        touched.forEach((time, found) -> {
            if (found.isEmpty()) {
                rows.removeKey(time);
            } else {
                rows.updateValue(time, written(found));
            }
        });
        if (times.isEmpty() && !timer.isSet()) {
            kept.clear();
            return;
        }
        ByteBuffer out = ByteBuffer.allocate(Long.BYTES * (1 + times.size())).putLong(timer.time());
        times.forEach(out::putLong);
        kept.update(out.array());
    }

    /** Whether a row of this time, which is late by itself, belongs to a session that is not over. */
    boolean reaches(long time) {
        Long next = times.ceiling(time);
        return next != null && next - time <= gap;
    }

    void add(long time, byte[] row) {
        of(time).merge(ByteBuffer.wrap(row), 1L, Long::sum);
        times.add(time);
    }

    /** Takes a row away, if it is there. */
    void remove(long time, byte[] row) {
        if (times.contains(time)) {
            Map<ByteBuffer, Long> found = of(time);
            found.computeIfPresent(
                    ByteBuffer.wrap(row), (same, count) -> count == 1 ? null : count - 1);
            if (found.isEmpty()) {
                times.remove(time);
            }
        }
    }

    /** When the first session was over, or none: no other one is over before it. */
    long firstEnd() {
        return times.isEmpty() ? OneTimer.NONE : lastOfFirst() + gap;
    }

    /** When the first session began. */
    long firstStart() {
        return times.first();
    }

    private long lastOfFirst() {
        long last = times.first();
        for (long time : times) {
            if (time - last > gap) {
                break;
            }
            last = time;
        }
        return last;
    }

    /** Takes the rows of the first session away, in the order of their times. */
    void pollFirst(Consumer<byte[]> taker) {
        var session = times.headSet(lastOfFirst(), true);
        for (long time : session) {
            of(time).forEach((row, count) -> {
                for (long left = count; left > 0; left--) {
                    taker.accept(row.array());
                }
            });
            touched.put(time, Map.of());
        }
        session.clear();
    }

    private Map<ByteBuffer, Long> of(long time) {
        return touched.computeIfAbsent(time, missing -> {
            byte[] saved = times.contains(time) ? rows.getValue(time) : null;
            return saved == null ? new LinkedHashMap<>() : Saved.read(saved, SessionRows::read);
        });
    }

    private static Map<ByteBuffer, Long> read(DataInputStream in) throws IOException {
        Map<ByteBuffer, Long> found = new LinkedHashMap<>();
        while (in.available() > 0) {
            found.put(ByteBuffer.wrap(Saved.bytes(in)), in.readLong());
        }
        return found;
    }

    private static byte[] written(Map<ByteBuffer, Long> found) {
        return Saved.of(out -> {
            for (Map.Entry<ByteBuffer, Long> row : found.entrySet()) {
                Saved.putBytes(out, row.getKey().array());
                out.writeLong(row.getValue());
            }
        });
    }

    /** The timer goes off when the first session is over, or before. */
    void wake() {
        timer.wakeBy(firstEnd());
    }

    /** The timer has gone off. */
    void awake() {
        timer.awake();
    }
}
