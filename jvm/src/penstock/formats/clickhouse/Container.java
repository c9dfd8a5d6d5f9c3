package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import penstock.formats.Utf8Buffer;

/** What holds other values: JSON's own in JSON, elsewhere a text with values as in SQL. */
abstract class Container extends Value {
    Container(ColumnType type, Values values) {
        super(type, values.settings());
    }

    /** Reads the container; its elements stand in the layout. */
    abstract Object elements(Input in, Layout layout);

    /** Writes the container; its elements stand in the layout. */
    abstract void writeElements(
            SpecializedGetters values, int position, Layout layout, Utf8Buffer out);

    @Override
    Object parse(Input in, Layout layout) {
        if (layout.isJson()) {
            return elements(in, layout);
        }
        if (!layout.wrapsContainers()) {
            return elements(in, QuotedLayout.INSTANCE);
        }
        Input inner = new Input(layout.string(in).getBytes());
        Object found = elements(inner, QuotedLayout.INSTANCE);
        if (!inner.atEnd()) {
            throw inner.expected("eof");
        }
        return found;
    }

    @Override
    void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        if (layout.isJson()) {
            writeElements(values, position, layout, out);
        } else if (!layout.wrapsContainers()) {
            writeElements(values, position, QuotedLayout.INSTANCE, out);
        } else {
            layout.writeMark(out);
            int start = out.size();
            writeElements(values, position, QuotedLayout.INSTANCE, out);
            CsvLayout.doubleQuotes(out, start);
            layout.writeMark(out);
        }
    }
}
