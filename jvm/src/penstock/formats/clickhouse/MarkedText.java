package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import penstock.formats.Utf8Buffer;

/** What is kept as a text without anything to escape, and written with marks around it. */
abstract class MarkedText extends Value {
    MarkedText(ColumnType type, Settings settings) {
        super(type, settings);
    }

    @Override
    final void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        layout.writeMark(out);
        out.add(values.getUTF8String(position));
        layout.writeMark(out);
    }
}
