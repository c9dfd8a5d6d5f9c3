package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import penstock.operators.Changes;
import penstock.operators.OneTimer;
import scala.Tuple2;
import scala.collection.Iterator;

/** The rows of one key on one side of an interval join that may still find partners. */
final class BoundedRows {
    /** A row, and what the watermark must pass before it can find no partner, in microseconds. */
    static final class Entry {
        final long due;
        final byte[] row;
        boolean met;
        private final long number;
        private final boolean metBefore;

        private Entry(long number, long due, boolean met, byte[] row) {
            this.number = number;
            this.due = due;
            this.row = row;
            this.met = met;
            this.metBefore = met;
        }

        private byte[] written() {
            return ByteBuffer.allocate(Long.BYTES + 1 + row.length)
                    .putLong(due).put((byte) (met ? 1 : 0)).put(row).array();
        }

        private static Entry read(long number, byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            long due = buffer.getLong();
            boolean met = buffer.get() > 0;
            byte[] row = new byte[buffer.remaining()];
            buffer.get(row);
            return new Entry(number, due, met, row);
        }
    }

    private final MapState<Long, byte[]> state;
    private final boolean marks;
    private final List<Entry> kept = new ArrayList<>();
    private final List<Entry> come = new ArrayList<>();
    private long next;
    private int count;
    private boolean isRead;

    /** With {@code marks} it matters of a row whether it has met a partner. */
    BoundedRows(StatefulProcessorHandle handle, String name, boolean marks) {
        this.marks = marks;
        state = handle.getMapState(name, Encoders.LONG(), Encoders.BINARY(), Changes.ttl(0));
    }

    /** Begin with another key: which number a new row gets, and how many there are. */
    void load(ByteBuffer saved) {
        kept.clear();
        come.clear();
        next = saved == null ? 0 : saved.getLong();
        count = saved == null ? 0 : saved.getInt();
        isRead = false;
    }

    void save(ByteBuffer out) {
        out.putLong(next).putInt(count);
    }

    boolean isEmpty() {
        return count == 0;
    }

    void add(long due, byte[] row) {
        come.add(new Entry(next++, due, false, row));
    }

    /** The rows of this batch. */
    List<Entry> come() {
        return come;
    }

    /** Those of them that will be kept. */
    List<Entry> inTime(long watermarkMicros) {
        return come.stream().filter(entry -> entry.due >= watermarkMicros).toList();
    }

    /** The others: what bounds them has passed. */
    List<Entry> tooLate(long watermarkMicros) {
        return come.stream().filter(entry -> entry.due < watermarkMicros).toList();
    }

    /** The rows of earlier batches. */
    List<Entry> kept() {
        if (!isRead && count > 0) {
            Iterator<Tuple2<Long, byte[]>> all = state.iterator();
            while (all.hasNext()) {
                Tuple2<Long, byte[]> entry = all.next();
                kept.add(Entry.read(entry._1(), entry._2()));
            }
        }
        isRead = true;
        return kept;
    }

    /** Keep the rows of this batch, and which others have met a partner; those too late go. */
    void settle(long watermarkMicros, OneTimer timer, Consumer<Entry> lonely) {
        for (Entry entry : come) {
            if (entry.due >= watermarkMicros) {
                state.updateValue(entry.number, entry.written());
                timer.wakeBy(wake(entry));
                count++;
            } else {
                tell(entry, lonely);
            }
        }
        for (Entry entry : kept) {
            if (marks && entry.met != entry.metBefore) {
                state.updateValue(entry.number, entry.written());
            }
        }
    }

    /** Let go what the watermark has passed. */
    void pass(long watermarkMicros, OneTimer timer, Consumer<Entry> lonely) {
        for (Entry entry : kept()) {
            if (entry.due < watermarkMicros) {
                state.removeKey(entry.number);
                count--;
                tell(entry, lonely);
            } else {
                timer.wakeBy(wake(entry));
            }
        }
    }

    private void tell(Entry entry, Consumer<Entry> lonely) {
        if (marks && !entry.met) {
            lonely.accept(entry);
        }
    }

    private static long wake(Entry entry) {
        return Math.floorDiv(entry.due, IntervalJoin.MICROS_PER_MILLI) + 1;
    }
}
