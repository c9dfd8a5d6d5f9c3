package penstock.operators.aggregate;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * What a GROUP BY does.
 *
 * @param calls its aggregate calls
 * @param inputs how many columns the rows have that go in: arguments and filters of all calls
 * @param keys how many columns the key has
 * @param output the columns that go out, over those of the key and the results of the calls
 * @param retracts whether rows that went in may be taken back
 * @param updateBefore whether the consumer needs the old row of an update
 * @param ttlMillis for how long an untouched group is kept, 0 for ever
 */
record AggregateSpec(List<Call> calls, int inputs, int keys, List<Expression> output,
        boolean retracts, boolean updateBefore, long ttlMillis) implements Serializable {}
