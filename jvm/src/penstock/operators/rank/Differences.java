package penstock.operators.rank;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Row;
import penstock.catalyst.Packed;
import penstock.operators.Changes;
import penstock.operators.RowKind;

/** The changes that make the rows that went out before those that are to be there now. */
final class Differences {
    private final RankSpec spec;
    private final Set<ByteBuffer> came;
    private final List<Row> changes = new ArrayList<>();

    private Differences(RankSpec spec, Set<ByteBuffer> came) {
        this.spec = spec;
        this.came = came;
    }

    /** The changes; rows that {@code came} are told, though they be as they were. */
    static List<Row> between(
            RankSpec spec, List<Placed> before, List<Placed> after, Set<ByteBuffer> came) {
        Differences found = new Differences(spec, came);
        if (spec.byNumber()) {
            found.byNumber(each(before), each(after));
        } else {
            found.byRow(before, after);
        }
        return found.changes;
    }

    /** A row with its number, if it goes out with one. */
    static byte[] numbered(RankSpec spec, byte[] row, long number) {
        if (!spec.numbered()) {
            return row;
        }
        byte[] copy = row.clone();
        Packed.row(copy, spec.fields()).setLong(spec.fields() - 1, number);
        return copy;
    }

    private static List<byte[]> each(List<Placed> rows) {
        List<byte[]> found = new ArrayList<>();
        for (Placed placed : rows) {
            for (long i = 0; i < placed.count(); i++) {
                found.add(placed.row());
            }
        }
        return found;
    }

    private void byNumber(List<byte[]> before, List<byte[]> after) {
        for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
            long number = spec.first() + i;
            if (i >= after.size()) {
                add(RowKind.DELETE, before.get(i), number, 1);
            } else if (i >= before.size()) {
                add(RowKind.INSERT, after.get(i), number, 1);
            } else if (!Arrays.equals(before.get(i), after.get(i))
                    || came.contains(ByteBuffer.wrap(after.get(i)))) {
                update(before.get(i), number, after.get(i), number);
            }
        }
    }

    /** Rows that go come first: another row may have the same key. */
    private void byRow(List<Placed> before, List<Placed> after) {
        Map<ByteBuffer, Placed> old = byBytes(before);
        Map<ByteBuffer, Placed> now = byBytes(after);
        old.forEach((row, was) -> {
            long left = now.containsKey(row) ? now.get(row).count() : 0;
            add(RowKind.DELETE, was.row(), was.number(), was.count() - left);
        });
        now.forEach((row, is) -> {
            Placed was = old.get(row);
            long known = was == null ? 0 : was.count();
            boolean moves = spec.numbered() && was != null && was.number() != is.number();
            if (moves || came.contains(row)) {
                for (long i = Math.min(known, is.count()); i > 0; i--) {
                    update(was.row(), was.number(), is.row(), is.number());
                }
            }
            add(RowKind.INSERT, is.row(), is.number(), is.count() - known);
        });
    }

    private static Map<ByteBuffer, Placed> byBytes(List<Placed> rows) {
        Map<ByteBuffer, Placed> found = new LinkedHashMap<>();
        rows.forEach(placed -> found.put(ByteBuffer.wrap(placed.row()), placed));
        return found;
    }

    private void update(byte[] before, long oldNumber, byte[] after, long newNumber) {
        if (spec.updateBefore()) {
            add(RowKind.UPDATE_BEFORE, before, oldNumber, 1);
        }
        add(RowKind.UPDATE_AFTER, after, newNumber, 1);
    }

    private void add(byte kind, byte[] row, long number, long times) {
        if (times > 0) {
            byte[] out = numbered(spec, row, number);
            for (long i = 0; i < times; i++) {
                changes.add(Changes.change(kind, out));
            }
        }
    }
}
