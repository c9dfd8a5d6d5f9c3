package penstock.operators.over;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.ValueState;
import penstock.catalyst.Packed;
import penstock.operators.Changes;
import penstock.operators.RowDeque;
import penstock.operators.RowKind;
import penstock.operators.Saved;
import penstock.operators.Stores;
import penstock.operators.aggregate.Accumulation;

/**
 * The rows of a partition that have been told of: what the functions know of them, and those rows
 * themselves that may still leave the frame, each once, in their order.
 */
final class Frame {
    /** The time of a partition without rows: any is later. */
    static final long NEVER = Long.MIN_VALUE;

    private static final String STATE = "frame";

    private final OverSpec spec;
    private final ValueState<byte[]> kept;
    private final Accumulation accumulation;
    private final List<Lag> lags;
    private final RowDeque within;
    private final OverRow output;
    private final Object[] results;
    private long last;
    private long count;
    private long rank;
    private long times;

    Frame(OverSpec spec, StatefulProcessorHandle handle) {
        this.spec = spec;
        kept = handle.getValueState(STATE, Encoders.BINARY(), Changes.ttl(spec.keptMillis()));
        Stores stores = new Stores(handle, Changes.ttl(spec.rowMillis()));
        accumulation = Accumulation.inOrder(spec.calls(), spec.bounded(), stores);
        lags = spec.lags().stream().map(Lag::new).toList();
        within = spec.bounded() ? stores.rows() : null;
        output = new OverRow(spec);
        results = new Object[spec.results()];
    }

    /** The time of the last row. */
    long last() {
        return last;
    }

    /** Makes the partition as it was saved the current one. */
    void load() {
        byte[] saved = kept.get();
        if (saved == null) {
            clear();
            return;
        }
        Saved.read(saved, in -> {
            last = in.readLong();
            count = in.readLong();
            rank = in.readLong();
            times = in.readLong();
            accumulation.load(in);
            for (Lag lag : lags) {
                lag.load(in);
            }
            if (within != null) {
                within.load(in);
            }
            return null;
        });
    }

    private void clear() {
        last = NEVER;
        count = 0;
        rank = 0;
        times = 0;
        if (spec.rowMillis() > spec.keptMillis()) {
            // Entries outlive the partition that they belonged to.
            forgetRows();
        }
        accumulation.clear();
        lags.forEach(Lag::clear);
        if (within != null) {
            within.clear();
        }
    }

    void save() {
        kept.update(Saved.of(out -> {
            out.writeLong(last);
            out.writeLong(count);
            out.writeLong(rank);
            out.writeLong(times);
            accumulation.save(out);
            for (Lag lag : lags) {
                lag.save(out);
            }
            if (within != null) {
                within.save(out);
            }
        }));
    }

    /** The partition has no rows any more that a later one could see. */
    void forget() {
        forgetRows();
        kept.clear();
    }

    private void forgetRows() {
        accumulation.forget();
        if (within != null) {
            within.forget();
        }
    }

    /** Takes rows that come after all before; all of one time, where the frame goes by time. */
    List<Row> take(List<Arrived> rows) {
        List<Row> told = new ArrayList<>(rows.size());
        if (oneByOne()) {
            for (Arrived row : rows) {
                add(row);
                settle(row.time());
                told.add(told(row));
            }
        } else {
            rows.forEach(this::add);
            settle(rows.get(0).time());
            rows.forEach(row -> told.add(told(row)));
        }
        return told;
    }

    /** By the clock no two rows come at once, unless the frame says how long ago is too long. */
    private boolean oneByOne() {
        return spec.rows() || (!spec.byWatermark() && !spec.bounded());
    }

    private void add(Arrived row) {
        if (last != row.time() || times == 0) {
            times++;
            rank = count + 1;
            last = row.time();
        }
        count++;
        UnsafeRow inputs = Packed.row(row.inputs(), spec.inputs());
        accumulation.add(inputs);
        lags.forEach(lag -> lag.add(inputs));
        if (within != null) {
            within.addLast(ByteBuffer.allocate(Long.BYTES + row.inputs().length)
                    .putLong(row.time()).put(row.inputs()).array());
        }
    }

    /** Lets go what the frame of a row at this time does not reach; then the results hold for it. */
    private void settle(long time) {
        while (within != null && isBeyond(within.peekFirst(), time)) {
            byte[] gone = within.pollFirst();
            accumulation.retract(Packed.row(
                    Arrays.copyOfRange(gone, Long.BYTES, gone.length), spec.inputs()));
        }
        accumulation.settle();
        fill();
    }

    private boolean isBeyond(byte[] oldest, long time) {
        return spec.rows() ? within.size() > spec.preceding() + 1
                : ByteBuffer.wrap(oldest).getLong() < time - spec.preceding();
    }

    private void fill() {
        accumulation.results(results);
        int place = spec.calls().size();
        for (OverSpec.Position position : spec.positions()) {
            results[place++] = position.of(count, rank, times);
        }
        for (Lag lag : lags) {
            results[place++] = lag.result();
        }
    }

    private Row told(Arrived row) {
        return Changes.change(RowKind.INSERT, output.of(row.row(), results));
    }
}
