package penstock.operators;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Retract → upsert by the key of a sink that is not the rows' own: the last row of each key counts.
 *
 * <p>Several rows may have one key of the sink; when the last of them goes, the one before it is
 * there again. Kept are the rows of each key, in the order in which they came.
 */
public final class Materialize extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final String STATE = "rows";

    private final long ttlMillis;
    private transient ValueState<byte[]> kept;

    private Materialize(long ttlMillis) {
        this.ttlMillis = ttlMillis;
    }

    /** The upserts of a packed changelog. */
    public static Dataset<Row> apply(Dataset<Row> changes, long ttlMillis) {
        return Changes.transformed(changes, new Materialize(ttlMillis), ttlMillis);
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        kept = getHandle().getValueState(STATE, Encoders.BINARY(), Changes.ttl(ttlMillis));
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> changes, TimerValues timers) {
        List<byte[]> rows = read(kept.get());
        byte[] before = last(rows);
        apply(changes, rows);
        byte[] after = last(rows);
        if (after == null) {
            kept.clear();
        } else {
            kept.update(written(rows));
        }
        List<Row> found = Changes.between(before, after, false, ttlMillis);
        return CollectionConverters.asScala(found.iterator());
    }

    /** Rows that come first: what goes in the same batch as it came may arrive before it. */
    private static void apply(Iterator<Row> changes, List<byte[]> rows) {
        List<byte[]> gone = new ArrayList<>();
        while (changes.hasNext()) {
            Row change = changes.next();
            byte[] row = change.getAs(Changes.ROW);
            if (RowKind.isPresent(change.getByte(Changes.KIND))) {
                rows.add(row);
            } else {
                gone.add(row);
            }
        }
        for (byte[] row : gone) {
            remove(rows, row);
        }
    }

    private static void remove(List<byte[]> rows, byte[] row) {
        for (int i = 0; i < rows.size(); i++) {
            if (Arrays.equals(rows.get(i), row)) {
                rows.remove(i);
                return;
            }
        }
    }

    private static byte[] last(List<byte[]> rows) {
        return rows.isEmpty() ? null : rows.get(rows.size() - 1);
    }

    private static List<byte[]> read(byte[] saved) {
        List<byte[]> rows = new ArrayList<>();
        if (saved == null) {
            return rows;
        }
        return Saved.read(saved, in -> {
            while (in.available() > 0) {
                rows.add(Saved.bytes(in));
            }
            return rows;
        });
    }

    private static byte[] written(List<byte[]> rows) {
        return Saved.of(out -> {
            for (byte[] row : rows) {
                Saved.putBytes(out, row);
            }
        });
    }
}
