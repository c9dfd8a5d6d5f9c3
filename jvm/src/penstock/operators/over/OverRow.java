package penstock.operators.over;

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import penstock.catalyst.CodeWriter;
import penstock.catalyst.Packed;

/** A row that goes out: its columns, and what the functions say of it. */
final class OverRow {
    private final OverSpec spec;
    private final UnsafeProjection output;
    private final JoinedRow joined = new JoinedRow();

    OverRow(OverSpec spec) {
        this.spec = spec;
        output = UnsafeProjection.create(CodeWriter.seq(spec.output()));
    }

    /** The packed row. */
    byte[] of(byte[] row, Object[] results) {
        return Packed.bytes(output.apply(joined.apply(
                Packed.row(row, spec.columns()), new GenericInternalRow(results))));
    }
}
