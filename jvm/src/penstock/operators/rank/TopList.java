package penstock.operators.rank;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.RowOrdering$;
import penstock.catalyst.CodeWriter;

/**
 * The first rows of a partition in their order: those that go out, and some that may follow them.
 *
 * <p>No row that is not in the list stands before one that is.
 */
final class TopList {
    private static final int LEAST_CUT = 64;

    private final RankSpec spec;
    private final int spare;
    private final Comparator<Entry> terms;
    private final Comparator<Entry> order;
    private final TreeSet<Entry> entries;
    private final Map<ByteBuffer, Entry> known = new HashMap<>();
    private long batch;
    private long last;
    // Whether no row of the partition is missing in the list that may ever go out.
    private boolean complete;
    // Whether a row behind all of the list has too high a number to go out.
    private boolean full;
    private int cutAt;

    /** A list with up to {@code spare} entries behind those that go out. */
    TopList(RankSpec spec, int spare) {
        this.spec = spec;
        this.spare = spare;
        BaseOrdering ordering =
                RowOrdering$.MODULE$.create(CodeWriter.seq(spec.order()), CodeWriter.seq(List.of()));
        terms = (a, b) -> ordering.compare(a.row(), b.row());
        Comparator<Entry> arrival =
                spec.newestFirst() ? (a, b) -> b.compareArrival(a) : Entry::compareArrival;
        order = terms.thenComparing(arrival).thenComparing(Entry::bytes, Arrays::compareUnsigned);
        entries = new TreeSet<>(order);
        last = spec.last();
        clear();
    }

    /** The list is of a partition whose numbers go up to this one. */
    void endAt(long number) {
        last = number;
    }

    /** An empty list of a partition without rows. */
    void clear() {
        empty();
        batch = 0;
    }

    /** The rows are about to be added anew, all of them. */
    void empty() {
        entries.clear();
        known.clear();
        complete = true;
        full = false;
        cutAt = LEAST_CUT;
    }

    void load(DataInput in) throws IOException {
        clear();
        batch = in.readLong();
        boolean whole = in.readBoolean();
        for (int left = in.readInt(); left > 0; left--) {
            put(Entry.read(in, spec.fields()));
        }
        cut();
        complete = whole;
    }

    void save(DataOutput out) throws IOException {
        out.writeLong(batch);
        out.writeBoolean(complete);
        out.writeInt(entries.size());
        for (Entry entry : entries) {
            entry.write(out);
        }
    }

    /** The number of the next batch of the partition. */
    long nextBatch() {
        return ++batch;
    }

    boolean isEmpty() {
        return entries.isEmpty() && complete;
    }

    /** The entry of a row, null if it is not in the list. */
    Entry find(byte[] row) {
        return known.get(ByteBuffer.wrap(row));
    }

    /** Whether an entry can have no number that goes out, however many are added. */
    boolean isBeyond(Entry entry) {
        if (!full || entries.isEmpty()) {
            return full;
        }
        boolean alone = spec.function() == RankSpec.Function.ROW_NUMBER;
        return (alone ? order : terms).compare(entry, entries.last()) > 0;
    }

    /** Where an entry stands that is to be where its row came before and where it comes now. */
    Entry place(Entry before, Entry now) {
        return (before.compareArrival(now) < 0) == spec.newestFirst() ? now : before;
    }

    /** Puts an entry where it belongs, if that is known to be in the list. */
    void add(Entry entry) {
        if (complete || (!entries.isEmpty() && order.compare(entry, entries.last()) < 0)) {
            put(entry);
            if (entries.size() > cutAt) {
                cut();
            }
        }
    }

    private void put(Entry entry) {
        entries.add(entry);
        known.put(ByteBuffer.wrap(entry.bytes()), entry);
    }

    void remove(Entry entry) {
        if (known.remove(ByteBuffer.wrap(entry.bytes())) != null) {
            entries.remove(entry);
        }
    }

    /** Forgets what is too far behind; whether the list still has every row that goes out. */
    boolean cut() {
        Numbers numbers = new Numbers();
        int behind = 0;
        long within = 0;
        for (Iterator<Entry> all = entries.iterator(); all.hasNext();) {
            Entry entry = all.next();
            if (numbers.next(entry) <= last) {
                within = numbers.reached();
            } else if (++behind > spare) {
                all.remove();
                known.remove(ByteBuffer.wrap(entry.bytes()));
                complete = !spec.retracts();
            }
        }
        full = within >= last;
        cutAt = Math.max(LEAST_CUT, 2 * entries.size());
        boolean alone = spec.function() == RankSpec.Function.ROW_NUMBER;
        return complete || (alone ? full : behind > 0);
    }

    /** The rows that go out, in their order. */
    List<Placed> placed() {
        List<Placed> found = new ArrayList<>();
        Numbers numbers = new Numbers();
        for (Entry entry : entries) {
            long number = numbers.next(entry);
            if (number > last) {
                break;
            }
            if (spec.function() == RankSpec.Function.ROW_NUMBER) {
                long from = Math.max(number, spec.first());
                long to = Math.min(number + entry.count() - 1, last);
                if (from <= to) {
                    found.add(new Placed(entry.bytes(), from, to - from + 1));
                }
            } else if (number >= spec.first()) {
                found.add(new Placed(entry.bytes(), number, entry.count()));
            }
        }
        return found;
    }

    /** The numbers of entries that are asked for in their order. */
    private final class Numbers {
        private Entry previous;
        private long rows;
        private long peers;
        private long rank;

        long next(Entry entry) {
            if (previous == null || terms.compare(previous, entry) != 0) {
                peers++;
                rank = rows + 1;
            }
            previous = entry;
            long before = rows;
            rows += entry.count();
            return switch (spec.function()) {
                case ROW_NUMBER -> before + 1;
                case RANK -> rank;
                case DENSE_RANK -> peers;
            };
        }

        /** The highest number so far; a row behind them all has a higher one. */
        long reached() {
            return spec.function() == RankSpec.Function.DENSE_RANK ? peers : rows;
        }
    }
}
