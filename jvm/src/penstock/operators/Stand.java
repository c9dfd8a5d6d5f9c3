package penstock.operators;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Where a row of a partition stands among those that came, and how often it is there.
 *
 * @param batch when it came: the number of the batch among those of its partition
 * @param at its place in that batch
 * @param count how often it is there
 */
public record Stand(long batch, long at, long count) {
    /** The same place for another number of rows. */
    public Stand of(long rows) {
        return new Stand(batch, at, rows);
    }

    /** Less than 0 for one that came before the other. */
    public int compareArrival(Stand other) {
        int batches = Long.compare(batch, other.batch);
        return batches != 0 ? batches : Long.compare(at, other.at);
    }

    /** As the state of a row has it. */
    public byte[] bytes() {
        return Saved.of(this::write);
    }

    /** What such bytes say. */
    public static Stand read(byte[] bytes) {
        return Saved.read(bytes, Stand::read);
    }

    /** The next one of what was written. */
    public static Stand read(DataInput in) throws IOException {
        return new Stand(in.readLong(), in.readLong(), in.readLong());
    }

    /** One part behind the other. */
    public void write(DataOutput out) throws IOException {
        out.writeLong(batch);
        out.writeLong(at);
        out.writeLong(count);
    }
}
