package penstock.operators.rank;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import penstock.catalyst.Packed;
import penstock.operators.Saved;
import penstock.operators.Stand;

/**
 * A row of a partition, as often as it is there; equal rows stand together.
 *
 * @param bytes the packed row
 * @param row the same, to be read
 * @param stand where it stands
 */
record Entry(byte[] bytes, UnsafeRow row, Stand stand) {
    static Entry of(byte[] bytes, int fields, Stand stand) {
        return new Entry(bytes, Packed.row(bytes, fields), stand);
    }

    long count() {
        return stand.count();
    }

    int compareArrival(Entry other) {
        return stand.compareArrival(other.stand);
    }

    /** The same row more often, or less; it stands where the given one does. */
    Entry with(Entry place, long more) {
        return new Entry(bytes, row, place.stand.of(count() + more));
    }

    static Entry read(DataInput in, int fields) throws IOException {
        return of(Saved.bytes(in), fields, Stand.read(in));
    }

    void write(DataOutput out) throws IOException {
        Saved.putBytes(out, bytes);
        stand.write(out);
    }
}
