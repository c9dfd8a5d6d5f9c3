package penstock.operators.aggregate;

import java.io.DataInput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import penstock.operators.Stores;

/**
 * A list, or a first or last value, in the order in which rows came, where they may go again.
 *
 * <p>A row that goes has a place of its own behind the one it came with: of those alike before it the
 * oldest goes, as from a list.
 */
final class ArrivalAccumulator extends MultisetAccumulator {
    private final Arrival arrival;
    private final boolean expires;
    private final List<UnsafeRow> gone = new ArrayList<>();

    ArrivalAccumulator(Fold fold, Stores stores, int fields, Arrival arrival) {
        super(fold, new CountMap(stores), fields, false);
        this.arrival = arrival;
        this.expires = stores.expire();
    }

    @Override
    void clear() {
        super.clear();
        gone.clear();
    }

    @Override
    void load(DataInput in) {
        super.load(in);
        gone.clear();
    }

    @Override
    void forget() {
        super.forget();
        gone.clear();
    }

    @Override
    void retract(InternalRow row) {
        if (arrival.place((UnsafeRow) row) == null) {
            super.retract(row);
        } else {
            gone.add(((UnsafeRow) row).copy());
        }
    }

    @Override
    void settle() {
        super.settle();
        if (!gone.isEmpty()) {
            gone.sort(arrival);
            Map<ByteBuffer, List<UnsafeRow>> alike = alike();
            gone.forEach(row -> take(row, alike.get(arrival.value(row))));
            gone.clear();
            super.settle();
        }
    }

    /** The rows that are kept of the values that go, oldest first. */
    private Map<ByteBuffer, List<UnsafeRow>> alike() {
        Map<ByteBuffer, List<UnsafeRow>> found = new HashMap<>();
        gone.forEach(row -> found.put(arrival.value(row), new ArrayList<>()));
        forEach((row, times) -> {
            List<UnsafeRow> rows = found.get(arrival.value(row));
            for (long left = times; rows != null && left > 0; left--) {
                rows.add(row);
            }
        });
        found.values().forEach(rows -> rows.sort(arrival));
        return found;
    }

    /** Nothing is taken where the state of the row has expired: one alike came after it went. */
    private void take(UnsafeRow gone, List<UnsafeRow> alike) {
        if (!alike.isEmpty() && (!expires || arrival.compare(alike.get(0), gone) < 0)) {
            super.retract(alike.remove(0));
        }
    }
}
