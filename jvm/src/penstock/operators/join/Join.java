package penstock.operators.join;

import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import penstock.operators.Changes;
import penstock.operators.RowKind;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A join of two changelogs: the rows of one key of both sides.
 *
 * <p>What the left rows of a batch change is seen against the right side as it was, what the right
 * rows change against the left side as it is then; what goes out is the sum of both. Rows that a side
 * gives by itself (outer, semi, anti) go by how many partners they have: each row's own number where
 * the join has more conditions than its key or rows expire, else that of all rows of the other side.
 *
 * <p>With a time to live a row that comes again as it was is told once more with its partners, to keep
 * what is made of it alive further down.
 */
final class Join extends StatefulProcessor<byte[], Row, Row> {
    private static final long serialVersionUID = 1L;
    // What the kind of a row says beside it: its side, and that it has no key to find a partner by.
    static final int LEFT = 0;
    static final int RIGHT = 1 << 2;
    static final int LONELY_LEFT = 2 << 2;
    static final int LONELY_RIGHT = 3 << 2;
    private static final int KINDS = 3;

    private final JoinSpec spec;
    private transient Side left;
    private transient Side right;
    private transient Kept.Two both;
    private transient Pairs pairs;

    Join(JoinSpec spec) {
        this.spec = spec;
    }

    @Override
    public void init(OutputMode outputMode, TimeMode timeMode) {
        long ttl = spec.ttlMillis();
        if (spec.keepsTwo()) {
            both = new Kept.Two(getHandle(), "both");
            left = spec.leftRows().opened(both.at(0), ttl);
            right = spec.rightRows().opened(both.at(1), ttl);
        } else {
            left = spec.leftRows().opened(getHandle(), "left", ttl);
            right = spec.rightRows().opened(getHandle(), "right", ttl);
        }
        pairs = new Pairs(spec);
    }

    @Override
    public Iterator<Row> handleInputRows(byte[] key, Iterator<Row> rows, TimerValues timers) {
        left.clear();
        right.clear();
        if (both != null) {
            both.clear();
        }
        pairs.clear();
        while (rows.hasNext()) {
            take(rows.next());
        }
        meet(true);
        meet(false);
        own(true);
        own(false);
        again(true);
        again(false);
        left.save();
        right.save();
        if (both != null) {
            both.save();
        }
        return CollectionConverters.asScala(pairs.changes().iterator());
    }

    private void take(Row row) {
        byte[] bytes = row.getAs(Changes.ROW);
        int kind = row.getByte(Changes.KIND);
        boolean comes = RowKind.isPresent((byte) (kind & KINDS));
        int side = kind & ~KINDS;
        if (side >= LONELY_LEFT) {
            give(side == LONELY_LEFT, ByteBuffer.wrap(bytes), null, comes ? 1 : -1);
        } else {
            (side == LEFT ? left : right).take(bytes, comes, row.getLong(Changes.AT));
        }
    }

    /** Pairs the changed rows of a side with all rows of the other, and counts them as partners. */
    private void meet(boolean ofLeft) {
        Side side = ofLeft ? left : right;
        Side other = ofLeft ? right : left;
        boolean looks = spec.kind().pairs() || spec.countsPartners(ofLeft)
                || spec.countsPartners(!ofLeft);
        for (Map.Entry<ByteBuffer, Long> change : side.changes().entrySet()) {
            Side.Entry entry = side.entry(change.getKey());
            // What was never there cannot go; what has expired may be known further down.
            long by = spec.expires()
                    ? change.getValue() : Math.max(change.getValue(), -entry.count);
            boolean isNew = entry.count == 0 && entry.countBefore == 0;
            entry.count += by;
            if (looks && by != 0) {
                meet(ofLeft, change.getKey(), entry, by, isNew, other);
            }
        }
    }

    private void meet(boolean ofLeft, ByteBuffer row, Side.Entry entry, long by, boolean isNew,
            Side other) {
        boolean countsOwn = spec.countsPartners(ofLeft) && isNew;
        boolean countsOthers = spec.countsPartners(!ofLeft);
        for (Map.Entry<ByteBuffer, Side.Entry> partner : other.all().entrySet()) {
            Side.Entry there = partner.getValue();
            boolean wasThere = there.count > 0 || there.countBefore > 0;
            if (wasThere && matches(ofLeft, row, partner.getKey())) {
                if (spec.kind().pairs() && there.count > 0) {
                    give(ofLeft, row, partner.getKey(), by * there.count);
                }
                if (countsOwn) {
                    entry.partners += there.count;
                }
                if (countsOthers) {
                    there.partners += by;
                }
            }
        }
    }

    private boolean matches(boolean ofLeft, ByteBuffer row, ByteBuffer partner) {
        return ofLeft ? pairs.match(row, partner) : pairs.match(partner, row);
    }

    /** What changes about the rows that a side gives by itself. */
    private void own(boolean ofLeft) {
        JoinKind.Own own = spec.kind().own(ofLeft);
        if (own == JoinKind.Own.NONE) {
            return;
        }
        Side side = ofLeft ? left : right;
        Side other = ofLeft ? right : left;
        boolean counted = spec.countsPartners(ofLeft);
        boolean before = !counted && other.existed();
        boolean after = !counted && other.exists();
        boolean others = counted ? !other.changes().isEmpty() : before != after;
        (others ? side.all() : side.changed()).forEach((row, entry) -> give(ofLeft, row, null,
                given(own, entry.count, counted ? entry.partners > 0 : after)
                        - given(own, entry.countBefore,
                                counted ? entry.partnersBefore > 0 : before)));
    }

    private static long given(JoinKind.Own own, long count, boolean hasPartner) {
        return hasPartner == (own == JoinKind.Own.WITH) ? count : 0;
    }

    /** Tells once more what is given of the rows that came again as they were. */
    private void again(boolean ofLeft) {
        Side side = ofLeft ? left : right;
        Side other = ofLeft ? right : left;
        JoinKind.Own own = spec.kind().own(ofLeft);
        for (ByteBuffer row : side.again()) {
            other.all().forEach((partner, there) -> {
                if (there.count > 0 && matches(ofLeft, row, partner)) {
                    again(ofLeft, row, partner, there);
                }
            });
            boolean hasPartner = side.entry(row).partners > 0;
            if (own != JoinKind.Own.NONE && given(own, 1, hasPartner) > 0) {
                tellAgain(ofLeft, row, null);
            }
        }
    }

    private void again(boolean ofLeft, ByteBuffer row, ByteBuffer partner, Side.Entry there) {
        there.isTouched |= spec.countsPartners(!ofLeft);
        if (spec.kind().pairs()) {
            tellAgain(ofLeft, row, partner);
        }
        if (spec.kind().own(!ofLeft) == JoinKind.Own.WITH) {
            tellAgain(!ofLeft, partner, null);
        }
    }

    private void tellAgain(boolean ofLeft, ByteBuffer row, ByteBuffer partner) {
        if (ofLeft) {
            pairs.tellAgain(row, partner);
        } else {
            pairs.tellAgain(partner, row);
        }
    }

    /** A pair, or a row by itself, that goes out so many times more often. */
    private void give(boolean ofLeft, ByteBuffer row, ByteBuffer partner, long times) {
        if (ofLeft) {
            pairs.give(row, partner, times);
        } else {
            pairs.give(partner, row, times);
        }
    }
}
