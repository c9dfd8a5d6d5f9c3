package penstock.formats.clickhouse;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import penstock.formats.Utf8Buffer;

/**
 * Map: an object of JSON, {@code {'k':1}} elsewhere. Spark's maps have no key twice: the last of two
 * equal keys counts, where ClickHouse keeps both.
 */
final class MapValue extends Container {
    private final Value key;
    private final Value value;
    private final boolean textKey;

    MapValue(ColumnType type, Values values) {
        super(type, values);
        this.key = values.of(type.children().get(0));
        this.value = values.of(type.children().get(1));
        this.textKey = !(key instanceof IntegerValue) && !(key instanceof FloatValue)
                && !(key instanceof DecimalValue) && !(key instanceof BoolValue);
    }

    @Override
    Object zero() {
        return map(Map.of());
    }

    private static MapData map(Map<Object, Object> entries) {
        return new ArrayBasedMapData(
                new GenericArrayData(entries.keySet().toArray()),
                new GenericArrayData(entries.values().toArray()));
    }

    @Override
    Object elements(Input in, Layout layout) {
        in.expect('{');
        Map<Object, Object> entries = new LinkedHashMap<>();
        in.skipBlanks();
        while (in.peek() != '}' && !in.atEnd()) {
            if (!entries.isEmpty()) {
                in.expect(',');
                in.skipBlanks();
                if (in.peek() == '}') {
                    break;
                }
            }
            Object name = key.read(in, layout);
            in.expectAmongBlanks(':');
            entries.put(name, value.read(in, layout));
            in.skipBlanks();
        }
        in.expect('}');
        return map(entries);
    }

    @Override
    void writeElements(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        MapData map = values.getMap(position);
        ArrayData keys = map.keyArray();
        ArrayData entries = map.valueArray();
        boolean marked = layout.isJson() && !textKey;
        out.add('{');
        for (int i = 0; i < map.numElements(); i++) {
            if (i > 0) {
                out.add(',');
            }
            if (marked) {
                out.add('"');
            }
            key.write(keys, i, marked ? WholeLayout.INSTANCE : layout, out);
            if (marked) {
                out.add('"');
            }
            out.add(':');
            value.write(entries, i, layout, out);
        }
        out.add('}');
    }
}
