package penstock.operators.over;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.RowOrdering$;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import penstock.catalyst.CodeWriter;
import penstock.operators.Changes;
import penstock.operators.RowKind;
import penstock.operators.Stand;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * OVER by a column that is no time: a row that comes or goes changes what is said of those behind it.
 *
 * <p>All rows of a partition are kept, each an entry of the state; a batch that brings changes of it
 * reads them, and tells of the first row that changes and those behind it what is said of them now.
 */
final class ByOrder extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final String STATE = "rows";
    private static final int KIND = 3;

    private final OverSpec spec;
    private transient MapState<byte[], byte[]> kept;
    private transient Comparator<Standing> terms;
    private transient Comparator<Standing> order;
    private transient Telling telling;

    ByOrder(OverSpec spec) {
        this.spec = spec;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        kept = getHandle().getMapState(
                STATE, Encoders.BINARY(), Encoders.BINARY(), TTLConfig.NONE());
        BaseOrdering ordering =
                RowOrdering$.MODULE$.create(CodeWriter.seq(spec.order()), CodeWriter.seq(List.of()));
        terms = (a, b) -> ordering.compare(a.inputs(), b.inputs());
        order = terms.thenComparing(Standing::compareArrival)
                .thenComparing(row -> row.id().array(), Arrays::compareUnsigned);
        telling = new Telling(spec, (a, b) -> terms.compare(a, b) == 0, getHandle());
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        Map<ByteBuffer, Standing> all = load();
        List<Standing> before = inOrder(all);
        take(rows, all);
        List<Standing> after = inOrder(all);
        int from = firstChanged(before, after);
        List<Row> told = between(telling.of(before, from), telling.of(after, from));
        return CollectionConverters.asScala(told.iterator());
    }

    private Map<ByteBuffer, Standing> load() {
        Map<ByteBuffer, Standing> found = new HashMap<>();
        Iterator<Tuple2<byte[], byte[]>> entries = kept.iterator();
        while (entries.hasNext()) {
            Tuple2<byte[], byte[]> entry = entries.next();
            found.put(ByteBuffer.wrap(entry._1()),
                    Standing.read(entry._1(), spec.inputs(), entry._2()));
        }
        return found;
    }

    private List<Standing> inOrder(Map<ByteBuffer, Standing> all) {
        List<Standing> found = new ArrayList<>(all.values());
        found.sort(order);
        return found;
    }

    /** Takes the changes of a batch, summed up per row. */
    private void take(Iterator<Row> changes, Map<ByteBuffer, Standing> all) {
        long batch = 1 + all.values().stream().mapToLong(row -> row.stand().batch()).max().orElse(0);
        Map<ByteBuffer, Standing> sums = new LinkedHashMap<>();
        while (changes.hasNext()) {
            Row change = changes.next();
            int sign = RowKind.isPresent(change.getByte(KIND)) ? 1 : -1;
            Stand stand = new Stand(batch, change.getLong(2), sign);
            Standing row = Standing.of(change.getAs(0), change.getAs(1), spec.inputs(), stand);
            sums.merge(row.id(), row, Standing::and);
        }
        sums.values().removeIf(sum -> sum.count() == 0);
        sums.values().forEach(sum -> apply(sum, all));
    }

    private void apply(Standing sum, Map<ByteBuffer, Standing> all) {
        ByteBuffer id = sum.id();
        Standing before = all.get(id);
        Standing after = before == null ? sum : before.with(sum.count());
        if (after.count() > 0) {
            all.put(id, after);
            kept.updateValue(id.array(), after.stand().bytes());
        } else if (before != null) {
            all.remove(id);
            kept.removeKey(id.array());
        }
    }

    /** Up to where nothing is said anew: of rows alike in the order all or none. */
    private int firstChanged(List<Standing> before, List<Standing> after) {
        int place = 0;
        int both = Math.min(before.size(), after.size());
        while (place < both && before.get(place) == after.get(place)) {
            place++;
        }
        while (place > 0 && (isPeer(before, place) || isPeer(after, place))) {
            place--;
        }
        return place;
    }

    private boolean isPeer(List<Standing> rows, int place) {
        return place < rows.size()
                && terms.compare(rows.get(place - 1), rows.get(place)) == 0;
    }

    /** Rows that go come first: another row may have the same key. */
    private static List<Row> between(
            Map<ByteBuffer, List<byte[]>> before, Map<ByteBuffer, List<byte[]>> after) {
        List<Row> found = new ArrayList<>();
        before.forEach((id, were) -> {
            int left = after.getOrDefault(id, List.of()).size();
            for (int i = left; i < were.size(); i++) {
                found.add(Changes.change(RowKind.DELETE, were.get(i)));
            }
        });
        after.forEach((id, are) -> {
            List<byte[]> were = before.getOrDefault(id, List.of());
            for (int i = 0; i < are.size(); i++) {
                byte[] was = i < were.size() ? were.get(i) : null;
                found.addAll(Changes.between(was, are.get(i), true, 0));
            }
        });
        return found;
    }
}
