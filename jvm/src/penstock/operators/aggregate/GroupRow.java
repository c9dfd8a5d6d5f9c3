package penstock.operators.aggregate;

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Packed;

/** The row of a group: made of its key, the results of its calls, and what else is known of it. */
final class GroupRow {
    private final AggregateSpec spec;
    private final UnsafeProjection output;
    private final JoinedRow joined = new JoinedRow();

    GroupRow(AggregateSpec spec) {
        this.spec = spec;
        output = UnsafeProjection.create(CodeWriter.seq(spec.output()));
    }

    /** The packed row; {@code more} stands behind the results. */
    byte[] of(byte[] key, Accumulation accumulation, Object... more) {
        int calls = spec.calls().size();
        Object[] results = new Object[calls + more.length];
        accumulation.results(results);
        System.arraycopy(more, 0, results, calls, more.length);
        return Packed.bytes(output.apply(joined.apply(
                Packed.row(key, spec.keys()), new GenericInternalRow(results))));
    }
}
