package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/**
 * Tuple: in JSON an object where its fields have names, else an array; {@code (1,'x')} elsewhere, but
 * in CSV as many columns as it has fields.
 */
final class TupleValue extends Container {
    private final Value[] fields;
    private final byte[][] labels;
    private final Map<UTF8String, Integer> positions = new HashMap<>();
    private final boolean readObjects;
    private final boolean writeObjects;
    private final boolean skipUnknown;
    private final char delimiter;

    TupleValue(ColumnType type, Values values) {
        super(type, values);
        List<ColumnType> children = type.children();
        Settings settings = values.settings();
        JsonLayout json = new JsonLayout(settings);
        this.fields = new Value[children.size()];
        this.labels = new byte[fields.length][];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = values.of(children.get(i));
            labels[i] = label(children.get(i).name(), json);
            positions.put(UTF8String.fromString(children.get(i).name()), i);
        }
        this.readObjects = type.isNamed() && settings.readTuplesAsObjects();
        this.writeObjects = type.isNamed() && settings.tuplesAsObjects();
        this.skipUnknown =
                settings.flag("input_format_json_ignore_unknown_keys_in_named_tuple", true);
        this.delimiter = settings.delimiter();
    }

    /** A name and a colon, as they stand in an object. */
    static byte[] label(String name, JsonLayout json) {
        Utf8Buffer out = Utf8Buffer.start();
        json.write(UTF8String.fromBytes(name.getBytes(StandardCharsets.UTF_8)), out);
        out.add(':');
        return out.finish();
    }

    @Override
    Object zero() {
        Object[] values = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            values[i] = fields[i].absent();
        }
        return new GenericInternalRow(values);
    }

    @Override
    Object parse(Input in, Layout layout) {
        return layout.wrapsContainers() ? columns(in, layout) : super.parse(in, layout);
    }

    private Object columns(Input in, Layout layout) {
        Object[] values = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            if (i > 0) {
                in.expectAmongBlanks(delimiter);
            }
            values[i] = fields[i].read(in, layout);
        }
        return new GenericInternalRow(values);
    }

    @Override
    Object elements(Input in, Layout layout) {
        if (layout.isJson() && readObjects) {
            return object(in, layout);
        }
        Object[] values = new Object[fields.length];
        in.expect(layout.isJson() ? '[' : '(');
        in.skipBlanks();
        for (int i = 0; i < fields.length; i++) {
            if (i > 0) {
                in.expectAmongBlanks(',');
            }
            values[i] = fields[i].read(in, layout);
            in.skipBlanks();
        }
        if (fields.length == 1 && !layout.isJson() && in.accept(',')) {
            in.skipBlanks();
        }
        in.expect(layout.isJson() ? ']' : ')');
        return new GenericInternalRow(values);
    }

    private Object object(Input in, Layout layout) {
        Object[] values = new Object[fields.length];
        boolean[] found = new boolean[fields.length];
        in.expect('{');
        in.skipBlanks();
        for (boolean first = true; !in.accept('}'); first = false) {
            if (!first) {
                in.expect(',');
                in.skipBlanks();
            }
            UTF8String name = JsonTexts.string(in);
            in.expectAmongBlanks(':');
            field(in, layout, name, values, found);
            in.skipBlanks();
        }
        for (int i = 0; i < fields.length; i++) {
            values[i] = found[i] ? values[i] : fields[i].absent();
        }
        return new GenericInternalRow(values);
    }

    private void field(
            Input in, Layout layout, UTF8String name, Object[] values, boolean[] found) {
        Integer position = positions.get(name);
        if (position == null) {
            if (!skipUnknown) {
                throw new FieldException("Unexpected key '" + name + "' in JSON object");
            }
            JsonTexts.skip(in);
            return;
        }
        if (found[position]) {
            throw new FieldException("JSON object contains duplicate key '" + name + "'");
        }
        found[position] = true;
        try {
            values[position] = fields[position].read(in, layout);
        } catch (FieldException e) {
            throw e.within(name.toString());
        }
    }

    @Override
    void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        if (!layout.wrapsContainers()) {
            super.print(values, position, layout, out);
            return;
        }
        InternalRow row = values.getStruct(position, fields.length);
        for (int i = 0; i < fields.length; i++) {
            if (i > 0) {
                out.add(delimiter);
            }
            fields[i].write(row, i, layout, out);
        }
    }

    @Override
    void writeElements(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        InternalRow row = values.getStruct(position, fields.length);
        boolean object = layout.isJson() && writeObjects;
        out.add(object ? '{' : layout.isJson() ? '[' : '(');
        for (int i = 0; i < fields.length; i++) {
            if (i > 0) {
                out.add(',');
            }
            if (object) {
                out.add(labels[i]);
            }
            fields[i].write(row, i, layout, out);
        }
        out.add(object ? '}' : layout.isJson() ? ']' : ')');
    }
}
