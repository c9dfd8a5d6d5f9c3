package penstock.operators.over;

import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import penstock.catalyst.Packed;
import penstock.operators.Saved;

/**
 * A row of a partition, as often as it is there; equal rows stand together.
 *
 * @param id its bytes: the columns that go out with it, and what the functions and the order are of
 * @param row the former
 * @param inputs the latter
 * @param batch when it came: the number of the batch among those of its partition
 * @param at its place in that batch
 * @param count how often it is there
 */
record Standing(ByteBuffer id, byte[] row, UnsafeRow inputs, long batch, long at, long count) {
    static Standing of(byte[] row, byte[] inputs, int fields, long batch, long at, long count) {
        byte[] id = Saved.of(out -> {
            Saved.putBytes(out, row);
            Saved.putBytes(out, inputs);
        });
        return new Standing(
                ByteBuffer.wrap(id), row, Packed.row(inputs, fields), batch, at, count);
    }

    /** The same row in its place, more often or less. */
    Standing with(long more) {
        return new Standing(id, row, inputs, batch, at, count + more);
    }

    /** The same row of a batch once more: the earlier place is theirs, whichever is read first. */
    Standing and(Standing other) {
        return new Standing(id, row, inputs, batch, Math.min(at, other.at), count + other.count);
    }

    int compareArrival(Standing other) {
        int batches = Long.compare(batch, other.batch);
        return batches != 0 ? batches : Long.compare(at, other.at);
    }

    /** All but the row itself, as the state of a row has it. */
    byte[] value() {
        return ByteBuffer.allocate(3 * Long.BYTES).putLong(batch).putLong(at).putLong(count).array();
    }

    static Standing read(byte[] id, int fields, byte[] value) {
        ByteBuffer in = ByteBuffer.wrap(value);
        return Saved.read(id, bytes -> new Standing(
                ByteBuffer.wrap(id), Saved.bytes(bytes), Packed.row(Saved.bytes(bytes), fields),
                in.getLong(), in.getLong(), in.getLong()));
    }
}
