package penstock.operators.rank;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import penstock.catalyst.Packed;
import penstock.operators.Saved;

/**
 * A row of a partition, as often as it is there; equal rows stand together.
 *
 * @param bytes the packed row
 * @param row the same, to be read
 * @param batch when it came: the number of the batch among those of its partition
 * @param at its place in that batch
 * @param count how often it is there
 */
record Entry(byte[] bytes, UnsafeRow row, long batch, long at, long count) {
    static Entry of(byte[] bytes, int fields, long batch, long at, long count) {
        return new Entry(bytes, Packed.row(bytes, fields), batch, at, count);
    }

    /** When it came, as a number that is higher for one that came later. */
    int compareArrival(Entry other) {
        int batches = Long.compare(batch, other.batch);
        return batches != 0 ? batches : Long.compare(at, other.at);
    }

    /** The same row more often, or less; it stands where the given one does. */
    Entry with(Entry place, long more) {
        return new Entry(bytes, row, place.batch, place.at, count + more);
    }

    /** All but the row itself, as the state of a row has it. */
    byte[] value() {
        return ByteBuffer.allocate(3 * Long.BYTES).putLong(batch).putLong(at).putLong(count).array();
    }

    static Entry ofValue(byte[] bytes, int fields, byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        return of(bytes, fields, in.getLong(), in.getLong(), in.getLong());
    }

    static Entry read(DataInput in, int fields) throws IOException {
        byte[] bytes = Saved.bytes(in);
        return of(bytes, fields, in.readLong(), in.readLong(), in.readLong());
    }

    void write(DataOutput out) throws IOException {
        Saved.putBytes(out, bytes);
        out.writeLong(batch);
        out.writeLong(at);
        out.writeLong(count);
    }
}
