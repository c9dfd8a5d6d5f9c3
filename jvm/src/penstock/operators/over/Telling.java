package penstock.operators.over;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;
import penstock.operators.Stores;
import penstock.operators.aggregate.Accumulation;

/** What is said of the rows of a partition in their order, each with all that stand before it. */
final class Telling {
    private final OverSpec spec;
    private final BiPredicate<Standing, Standing> peers;
    private final Accumulation accumulation;
    private final OverRow output;
    private final Object[] results;
    private long count;
    private long rank;
    private long groups;

    Telling(OverSpec spec, BiPredicate<Standing, Standing> peers, StatefulProcessorHandle handle) {
        this.spec = spec;
        this.peers = peers;
        accumulation = Accumulation.inOrder(
                spec.calls(), false, new Stores(handle, TTLConfig.NONE()));
        output = new OverRow(spec);
        results = new Object[spec.results()];
    }

    /** The rows that go out of each from a place on: as many as it is there. */
    Map<ByteBuffer, List<byte[]>> of(List<Standing> rows, int from) {
        Map<ByteBuffer, List<byte[]>> told = new LinkedHashMap<>();
        if (from == rows.size()) {
            return told;
        }
        accumulation.clear();
        count = 0;
        groups = 0;
        for (int begin = 0; begin < rows.size();) {
            int end = begin + 1;
            while (end < rows.size() && peers.test(rows.get(begin), rows.get(end))) {
                end++;
            }
            rank = count + 1;
            groups++;
            told.putAll(group(rows.subList(begin, end), begin >= from));
            begin = end;
        }
        accumulation.forget();
        return told;
    }

    private Map<ByteBuffer, List<byte[]>> group(List<Standing> rows, boolean asked) {
        Map<ByteBuffer, List<byte[]>> told = new LinkedHashMap<>();
        for (Standing row : rows) {
            List<byte[]> each = new ArrayList<>();
            for (long left = row.count(); left > 0; left--) {
                accumulation.add(row.inputs());
                count++;
                if (asked && spec.rows()) {
                    settle();
                    each.add(output.of(row.row(), results));
                }
            }
            told.put(row.id(), each);
        }
        if (asked && !spec.rows()) {
            settle();
            for (Standing row : rows) {
                byte[] out = output.of(row.row(), results);
                for (long left = row.count(); left > 0; left--) {
                    told.get(row.id()).add(out);
                }
            }
        }
        return asked ? told : Map.of();
    }

    private void settle() {
        accumulation.settle();
        accumulation.results(results);
        int place = spec.calls().size();
        for (OverSpec.Position position : spec.positions()) {
            results[place++] = position.of(count, rank, groups);
        }
    }
}
