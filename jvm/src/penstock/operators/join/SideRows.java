package penstock.operators.join;

import org.apache.spark.sql.streaming.StatefulProcessorHandle;

/** Which rows a side of a join may have for one key of the join. */
enum SideRows {
    /** Any number; what goes is told as a whole. */
    MANY,
    /** One at most; what goes is told as a whole. */
    ONE,
    /** One at most; a new one replaces it without a word. */
    LAST;

    Side opened(StatefulProcessorHandle handle, String name, long ttlMillis) {
        return this == MANY
                ? new ManyRows(handle, name, ttlMillis)
                : opened(Kept.alone(handle, name, ttlMillis), ttlMillis);
    }

    /** A side of one row that is kept so. */
    Side opened(Kept kept, long ttlMillis) {
        return new OneRow(kept, this == LAST, ttlMillis);
    }
}
