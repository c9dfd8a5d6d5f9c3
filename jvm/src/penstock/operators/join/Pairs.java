package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.Predicate;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Packed;
import penstock.operators.Changes;
import penstock.operators.RowKind;

/** Rows of both sides side by side: whether they belong together, and what goes out of them. */
final class Pairs {
    private final JoinSpec spec;
    private final BasePredicate condition;
    private final UnsafeProjection output;
    private final UnsafeProjection key;
    private final JoinedRow joined = new JoinedRow();
    private final InternalRow noLeft;
    private final InternalRow noRight;
    private final Map<ByteBuffer, Long> found = new LinkedHashMap<>();
    private final Set<ByteBuffer> again = new LinkedHashSet<>();

    Pairs(JoinSpec spec) {
        this.spec = spec;
        condition = spec.condition() == null ? null : Predicate.create(spec.condition());
        output = UnsafeProjection.create(CodeWriter.seq(spec.output()));
        key = UnsafeProjection.create(CodeWriter.seq(spec.key()));
        noLeft = new GenericInternalRow(spec.left().length());
        noRight = new GenericInternalRow(spec.right().length());
    }

    /** Begin with another key. */
    void clear() {
        found.clear();
        again.clear();
    }

    /** Whether two rows of one key meet what else the join asks for. */
    boolean match(ByteBuffer left, ByteBuffer right) {
        return condition == null || condition.eval(pair(left, right));
    }

    /** A pair, or with null a row by itself, that goes out so many times more often. */
    void give(ByteBuffer left, ByteBuffer right, long times) {
        if (times != 0) {
            found.merge(bytes(left, right), times, Long::sum);
        }
    }

    private JoinedRow pair(ByteBuffer left, ByteBuffer right) {
        return joined.apply(
                left == null ? noLeft : Packed.row(left.array(), spec.left().length()),
                right == null ? noRight : Packed.row(right.array(), spec.right().length()));
    }

    /** A pair, or with null a row by itself, that is there as before and is told once more. */
    void tellAgain(ByteBuffer left, ByteBuffer right) {
        again.add(bytes(left, right));
    }

    private ByteBuffer bytes(ByteBuffer left, ByteBuffer right) {
        return ByteBuffer.wrap(Packed.bytes(output.apply(pair(left, right))));
    }

    /** What goes, then what comes; where rows have a key, what is replaced does not go. */
    List<Row> changes() {
        List<Row> gone = new ArrayList<>();
        List<Row> come = new ArrayList<>();
        Set<ByteBuffer> replaced = replaced();
        found.forEach((row, times) -> {
            boolean updated = !replaced.isEmpty() && replaced.contains(keyOf(row));
            for (long left = Math.abs(times); left > 0; left--) {
                if (times > 0) {
                    byte kind = updated ? RowKind.UPDATE_AFTER : RowKind.INSERT;
                    come.add(Changes.change(kind, row.array()));
                } else if (!updated) {
                    gone.add(Changes.change(RowKind.DELETE, row.array()));
                }
            }
        });
        gone.addAll(come);
        for (ByteBuffer row : again) {
            if (found.getOrDefault(row, 0L) == 0) {
                gone.addAll(Changes.update(row.array(), row.array(), spec.key().isEmpty()));
            }
        }
        return gone;
    }

    /** The keys of which one row goes and another comes. */
    private Set<ByteBuffer> replaced() {
        Set<ByteBuffer> gone = new HashSet<>();
        Set<ByteBuffer> come = new HashSet<>();
        if (!spec.key().isEmpty() && found.values().stream().anyMatch(times -> times < 0)) {
            found.forEach((row, times) -> {
                if (times != 0) {
                    (times < 0 ? gone : come).add(keyOf(row));
                }
            });
        }
        gone.retainAll(come);
        return gone;
    }

    private ByteBuffer keyOf(ByteBuffer row) {
        int fields = spec.output().size();
        return ByteBuffer.wrap(Packed.bytes(key.apply(Packed.row(row.array(), fields))));
    }
}
