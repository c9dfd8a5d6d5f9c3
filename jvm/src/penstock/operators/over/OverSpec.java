package penstock.operators.over;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import penstock.operators.aggregate.Call;

/**
 * What functions with OVER do; it travels to the tasks.
 *
 * @param calls the aggregate calls
 * @param inputs how many values a row has for them: arguments, filters, what LAG looks at
 * @param positions the numbers asked for, behind the results of the calls
 * @param lags the calls of LAG, behind them
 * @param columns how many columns of a row go out as they are
 * @param output what goes out, over those columns and all results
 * @param order by what rows are ordered that have no time, or one time, over their values
 * @param rows whether the frame counts rows, one by one; else it goes by time, and rows of one time
 *     have the same results
 * @param preceding how many rows, or milliseconds, the frame reaches back; -1 for all
 * @param byWatermark whether rows wait until the watermark has passed them
 * @param ttlMillis for how long what nothing touches is kept, 0 for ever
 */
record OverSpec(List<Call> calls, int inputs, List<Position> positions, List<Lag.Spec> lags,
        int columns, List<Expression> output, List<SortOrder> order, boolean rows, long preceding,
        boolean byWatermark, long ttlMillis) implements Serializable {
    /** How a row is numbered within its partition. */
    enum Position {
        ROW_NUMBER,
        RANK,
        DENSE_RANK;

        /** The number of a row that is the last of so many, in so many groups of rows alike. */
        long of(long count, long rank, long groups) {
            return switch (this) {
                case ROW_NUMBER -> count;
                case RANK -> rank;
                case DENSE_RANK -> groups;
            };
        }
    }

    /** Whether rows leave the frame again. */
    boolean bounded() {
        return preceding >= 0;
    }

    int results() {
        return calls.size() + positions.size() + lags.size();
    }

    /** For how long the state of a partition is kept: by the clock a frame of time says so itself. */
    long keptMillis() {
        return byClock() ? preceding + 1 : ttlMillis;
    }

    /** The same for rows of it, which must be there as long as the frame may still take them out. */
    long rowMillis() {
        return byClock() ? 2 * preceding + 2 : ttlMillis;
    }

    private boolean byClock() {
        return !byWatermark && bounded() && !rows;
    }
}
