package penstock.operators.over;

import java.nio.ByteBuffer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import penstock.catalyst.Packed;
import penstock.operators.Saved;
import penstock.operators.Stand;

/**
 * A row of a partition, as often as it is there; equal rows stand together.
 *
 * @param id its bytes: the columns that go out with it, and what the functions and the order are of
 * @param row the former
 * @param inputs the latter
 * @param stand where it stands
 */
record Standing(ByteBuffer id, byte[] row, UnsafeRow inputs, Stand stand) {
    static Standing of(byte[] row, byte[] inputs, int fields, Stand stand) {
        byte[] id = Saved.of(out -> {
            Saved.putBytes(out, row);
            Saved.putBytes(out, inputs);
        });
        return new Standing(ByteBuffer.wrap(id), row, Packed.row(inputs, fields), stand);
    }

    long count() {
        return stand.count();
    }

    /** The same row in its place, more often or less. */
    Standing with(long more) {
        return new Standing(id, row, inputs, stand.of(count() + more));
    }

    /** The same row of a batch once more: the earlier place is theirs, whichever is read first. */
    Standing and(Standing other) {
        return compareArrival(other) <= 0 ? with(other.count()) : other.with(count());
    }

    int compareArrival(Standing other) {
        return stand.compareArrival(other.stand);
    }

    static Standing read(byte[] id, int fields, byte[] stand) {
        return Saved.read(id, in -> new Standing(
                ByteBuffer.wrap(id), Saved.bytes(in), Packed.row(Saved.bytes(in), fields),
                Stand.read(stand)));
    }
}
