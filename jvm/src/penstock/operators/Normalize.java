package penstock.operators;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Upsert → retract: keeps the last row of each key and says what changed.
 *
 * <p>Of the rows of a key in one batch only the last counts: by the sequence columns, compared from
 * left to right, then by arrival. Against the row kept from before it gives at most one change: a new
 * key +I, other content -U and +U, a deletion -D with the full old row; nothing for the same content
 * again or for the deletion of an unknown key. With a time to live the same content is passed on as
 * an update, to keep it alive further down.
 */
public final class Normalize extends StatefulProcessor<Row, Row, Row> {
    private static final long serialVersionUID = 1L;
    private static final String STATE = "row";

    private final NormalizeSpec spec;
    private transient ValueState<Row> kept;
    private transient int kind;
    private transient int[] sequence;
    private transient int[] stateFromInput;
    private transient int[] outputFromKey;
    private transient int[] outputFromState;

    /** A processor for input of the spec's columns. */
    public Normalize(NormalizeSpec spec) {
        this.spec = spec;
    }

    /** The retract changelog of an upsert changelog. */
    public static Dataset<Row> apply(Dataset<Row> upserts, List<String> keys, List<String> sequence,
            String kind, long ttlMillis, boolean updateBefore) {
        NormalizeSpec spec = new NormalizeSpec(
                upserts.schema(), keys, sequence, kind, ttlMillis, updateBefore);
        TimeMode time = ttlMillis > 0 ? TimeMode.ProcessingTime() : TimeMode.None();
        return upserts.groupBy(columns(keys))
                .as(Encoders.row(spec.keyType()), Encoders.row(spec.input()))
                .transformWithState(new Normalize(spec), time, OutputMode.Append(),
                        Encoders.row(spec.output()));
    }

    private static Column[] columns(List<String> names) {
        return names.stream().map(name -> functions.col("`" + name.replace("`", "``") + "`"))
                .toArray(Column[]::new);
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        TTLConfig ttl = spec.ttlMillis() > 0
                ? new TTLConfig(Duration.ofMillis(spec.ttlMillis())) : TTLConfig.NONE();
        kept = getHandle().getValueState(STATE, Encoders.row(spec.state()), ttl);
        String[] output = spec.output().fieldNames();
        String[] state = spec.state().fieldNames();
        kind = spec.input().fieldIndex(spec.kind());
        sequence = positions(spec.sequence().toArray(String[]::new), spec.input().fieldNames());
        stateFromInput = positions(state, spec.input().fieldNames());
        outputFromKey = positions(output, spec.keyType().fieldNames());
        outputFromState = positions(output, state);
    }

    /** Where the names are among others, -1 for those that are not. */
    private static int[] positions(String[] names, String[] among) {
        List<String> others = List.of(among);
        int[] positions = new int[names.length];
        for (int i = 0; i < names.length; i++) {
            positions[i] = others.indexOf(names[i]);
        }
        return positions;
    }

    @Override
    public Iterator<Row> handleInputRows(Row key, Iterator<Row> rows, TimerValues timers) {
        Row last = last(rows);
        Row before = kept.get();
        List<Row> changes = new ArrayList<>(2);
        if (!RowKind.isPresent(last.getByte(kind))) {
            if (before != null) {
                kept.clear();
                changes.add(change(RowKind.DELETE, key, before));
            }
            return CollectionConverters.asScala(changes.iterator());
        }
        Row after = content(last);
        if (before == null) {
            changes.add(change(RowKind.INSERT, key, after));
        } else if (spec.ttlMillis() > 0 || !before.equals(after)) {
            if (spec.updateBefore()) {
                changes.add(change(RowKind.UPDATE_BEFORE, key, before));
            }
            changes.add(change(RowKind.UPDATE_AFTER, key, after));
        }
        if (!changes.isEmpty()) {
            kept.update(after);
        }
        return CollectionConverters.asScala(changes.iterator());
    }

    private Row last(Iterator<Row> rows) {
        Row last = rows.next();
        while (rows.hasNext()) {
            Row next = rows.next();
            if (!isBefore(next, last)) {
                last = next;
            }
        }
        return last;
    }

    @SuppressWarnings("unchecked") // Sequence columns are of one comparable type each.
    private boolean isBefore(Row row, Row other) {
        for (int column : sequence) {
            int order = ((Comparable<Object>) row.get(column)).compareTo(other.get(column));
            if (order != 0) {
                return order < 0;
            }
        }
        return false;
    }

    private Row content(Row row) {
        Object[] values = new Object[stateFromInput.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = row.get(stateFromInput[i]);
        }
        return RowFactory.create(values);
    }

    private Row change(byte rowKind, Row key, Row content) {
        Object[] values = new Object[outputFromKey.length];
        for (int i = 0; i < values.length; i++) {
            if (outputFromKey[i] >= 0) {
                values[i] = key.get(outputFromKey[i]);
            } else if (outputFromState[i] >= 0) {
                values[i] = content.get(outputFromState[i]);
            } else {
                values[i] = rowKind;
            }
        }
        return RowFactory.create(values);
    }
}
