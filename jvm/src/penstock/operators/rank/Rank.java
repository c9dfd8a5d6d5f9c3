package penstock.operators.rank;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import penstock.operators.Changes;
import penstock.operators.Saved;
import penstock.operators.Stand;
import scala.collection.BufferedIterator;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Top-N: the rows of a partition whose number lies within a range.
 *
 * <p>What goes out is the difference between the rows within the range before a batch and after it;
 * with a time to live also those that came again as they were, to keep them alive further down.
 * With the partition the first rows are kept. Where rows may be taken back, every row has an entry
 * of its own beside them, see {@link KeptRows}.
 */
public class Rank extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final String STATE = "top";
    private static final int SPARE = 32;

    final RankSpec spec;
    transient ValueState<byte[]> kept;
    transient TopList top;
    private transient KeptRows rows;
    private transient Set<ByteBuffer> came;

    Rank(RankSpec spec) {
        this.spec = spec;
    }

    /**
     * The changes of the rows within the range.
     *
     * @param changes packed rows by partition; where they have the end of a window, the rows within
     *     the range are told once, when that has passed
     * @param spec what is asked for, as JSON: see {@link RankSpec}
     * @param type the type of a row, as Spark's JSON
     */
    public static Dataset<Row> apply(Dataset<Row> changes, String spec, String type) {
        RankSpec asked = RankSpec.of(spec, (StructType) DataType.fromJson(type));
        if (List.of(changes.columns()).contains("until")) {
            return Changes.windowed(changes, new WindowRank(asked));
        }
        StatefulProcessor<byte[], Row, Row> processor =
                asked.isFirstCome() ? new FirstCome(asked) : new Rank(asked);
        return Changes.transformed(changes, processor, asked.ttlMillis());
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        kept = getHandle().getValueState(STATE, Encoders.BINARY(), Changes.ttl(spec.ttlMillis()));
        came = new HashSet<>();
        top = new TopList(spec, spec.retracts() ? SPARE : 0);
        if (spec.retracts()) {
            rows = new KeptRows(getHandle().getMapState(KeptRows.STATE, Encoders.BINARY(),
                    Encoders.BINARY(), Changes.ttl(spec.ttlMillis())), spec);
        }
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> input, TimerValues timers) {
        BufferedIterator<Row> changes = input.buffered();
        top.endAt(spec.lastOf(changes.head().getAs(Changes.ROW)));
        load();
        came.clear();
        List<Placed> before = top.placed();
        if (!(spec.retracts() ? rows.take(changes, top, came) : add(changes))) {
            return CollectionConverters.asScala(Collections.emptyIterator());
        }
        if (!top.cut()) {
            rows.refill(top);
        }
        if (top.isEmpty()) {
            kept.clear();
        } else {
            kept.update(Saved.of(top::save));
        }
        List<Row> found = Differences.between(spec, before, top.placed(), came);
        return CollectionConverters.asScala(found.iterator());
    }

    /** Adds rows that stay; whether one of them may go out. */
    final boolean add(Iterator<Row> changes) {
        long batch = top.nextBatch();
        boolean changed = false;
        while (changes.hasNext()) {
            Row change = changes.next();
            Stand stand = new Stand(batch, change.getLong(Changes.AT), 1);
            Entry entry = Entry.of(change.getAs(Changes.ROW), spec.fields(), stand);
            if (!top.isBeyond(entry)) {
                Entry known = top.find(entry.bytes());
                if (known == null) {
                    top.add(entry);
                } else {
                    top.remove(known);
                    top.add(known.with(top.place(known, entry), 1));
                }
                changed = true;
                if (spec.ttlMillis() > 0) {
                    came.add(ByteBuffer.wrap(entry.bytes()));
                }
            }
        }
        return changed;
    }

    /** Makes the partition as it was saved the current one; whether there is any. */
    final boolean load() {
        byte[] saved = kept.get();
        if (saved == null) {
            top.clear();
            return false;
        }
        return Saved.read(saved, in -> {
            top.load(in);
            return true;
        });
    }
}
