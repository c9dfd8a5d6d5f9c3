package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The rows of one key on one side of a join: those kept, and how the batch changes them. */
abstract class Side {
    /** A row: how often it is there, how many partners it has, and both as they were. */
    static final class Entry {
        long count;
        long partners;
        // Whether it is to be kept as long as if it came now.
        boolean isTouched;
        final long countBefore;
        final long partnersBefore;

        Entry(long count, long partners) {
            this.count = count;
            this.partners = partners;
            this.countBefore = count;
            this.partnersBefore = partners;
        }

        boolean changed() {
            return isTouched || count != countBefore || partners != partnersBefore;
        }
    }

    /** Begin with another key. */
    abstract void clear();

    /** A row of this batch that comes or goes, and its place in the order of its key. */
    abstract void take(byte[] row, boolean comes, long at);

    /** How often each row came more than it went in this batch; nothing for those that are even. */
    abstract Map<ByteBuffer, Long> changes();

    /** What is known of a row. */
    abstract Entry entry(ByteBuffer row);

    /** Every row that is there or was, those of this batch among them. */
    abstract Map<ByteBuffer, Entry> all();

    /** Whether there was a row before this batch. */
    abstract boolean existed();

    /** Whether there is a row now. */
    abstract boolean exists();

    /** The rows that came in this batch and are there as before; none without a time to live. */
    abstract Collection<ByteBuffer> again();

    /** Keep what became of the rows. */
    abstract void save();

    /** The rows that this batch changes. */
    final Map<ByteBuffer, Entry> changed() {
        Map<ByteBuffer, Entry> rows = new LinkedHashMap<>();
        changes().keySet().forEach(row -> rows.put(row, entry(row)));
        return rows;
    }
}
