package penstock.formats.clickhouse;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Array: {@code [1,2]}, in JSON and elsewhere. */
final class ArrayValue extends Container {
    private final Value element;

    ArrayValue(ColumnType type, Values values) {
        super(type, values);
        this.element = values.of(type.children().get(0));
    }

    @Override
    Object zero() {
        return new GenericArrayData(new Object[0]);
    }

    @Override
    Object elements(Input in, Layout layout) {
        if (!in.accept('[')) {
            throw new FieldException("Array does not start with '[' character");
        }
        List<Object> found = new ArrayList<>();
        in.skipBlanks();
        while (in.peek() != ']' && !in.atEnd()) {
            if (!found.isEmpty()) {
                separator(in);
                if (in.peek() == ']') {
                    break;
                }
            }
            found.add(element.read(in, layout));
            in.skipBlanks();
        }
        in.expect(']');
        return new GenericArrayData(found.toArray());
    }

    private static void separator(Input in) {
        if (!in.accept(',')) {
            throw new FieldException("Cannot read array from text, expected comma or end of array,"
                    + " found '" + (char) in.peek() + "'");
        }
        in.skipBlanks();
    }

    @Override
    void writeElements(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        ArrayData array = values.getArray(position);
        out.add('[');
        for (int i = 0; i < array.numElements(); i++) {
            if (i > 0) {
                out.add(',');
            }
            element.write(array, i, layout, out);
        }
        out.add(']');
    }
}
