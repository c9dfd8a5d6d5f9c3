package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;

/** Reads JSONEachRow, and JSONStringsEachRow, whose values are all strings. */
public final class JsonEachRowDecoder extends JsonSequence {
    private static final long serialVersionUID = 1L;
    private static final UTF8String NO_GROUP = UTF8String.EMPTY_UTF8;
    private static final UTF8String POINT = UTF8String.fromString(".");

    private final transient JsonLayout layout;
    private final transient byte[][] keys;
    private final transient boolean strings;
    private final transient boolean skipUnknown;
    private final transient boolean nested;
    private final transient boolean emptyAsDefault;

    /** A decoder for the columns of a table. */
    public JsonEachRowDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.layout = new JsonLayout(settings);
        this.strings = options.flag("strings");
        this.skipUnknown = settings.skipUnknown();
        this.nested = settings.nestedJson();
        this.emptyAsDefault = settings.flag("input_format_json_empty_as_default", false);
        this.keys = new byte[columns.size()][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = ('"' + columns.names[i] + '"').getBytes(StandardCharsets.UTF_8);
        }
    }

    private Object readResolve() {
        return new JsonEachRowDecoder(schema, options);
    }

    @Override
    InternalRow row(Input in) {
        Object[] values = new Object[keys.length];
        boolean[] found = new boolean[keys.length];
        object(in, NO_GROUP, values, found);
        return columns.row(values, found);
    }

    /** Reads an object; the names of a group's columns begin with the group's. */
    private void object(Input in, UTF8String group, Object[] values, boolean[] found) {
        in.expect('{');
        in.skipBlanks();
        int expected = 0;
        for (boolean first = true; !in.accept('}'); first = false) {
            if (in.atEnd()) {
                throw new FieldException("Unexpected end of stream while parsing JSONEachRow format");
            }
            if (!first) {
                in.expect(',');
                in.skipBlanks();
            }
            // Messages of one producer keep the order of their fields: try the next one first.
            if (group == NO_GROUP && expected < keys.length && !found[expected]
                    && in.startsWith(keys[expected])) {
                in.at += keys[expected].length;
                in.expectAmongBlanks(':');
                values[expected] = value(expected, in);
                found[expected++] = true;
            } else {
                UTF8String name = JsonTexts.string(in);
                in.expectAmongBlanks(':');
                expected = field(in, group, name, values, found) + 1;
            }
            in.skipBlanks();
        }
    }

    private int field(
            Input in, UTF8String group, UTF8String name, Object[] values, boolean[] found) {
        UTF8String full = group == NO_GROUP ? name : UTF8String.concat(group, POINT, name);
        int place = columns.place(full);
        if (place == Columns.NONE) {
            unknown(in, group, name, values, found);
            return place;
        }
        if (found[place]) {
            throw new FieldException(
                    "Duplicate field found while parsing JSONEachRow format: " + full);
        }
        found[place] = true;
        values[place] = value(place, in);
        return place;
    }

    private void unknown(
            Input in, UTF8String group, UTF8String name, Object[] values, boolean[] found) {
        if (nested && group == NO_GROUP && columns.hasGroup(name)) {
            object(in, name, values, found);
        } else if (skipUnknown) {
            JsonTexts.skip(in);
        } else {
            throw new FieldException("Unknown field found while parsing JSONEachRow format: "
                    + (group == NO_GROUP ? name : UTF8String.concat(group, POINT, name)));
        }
    }

    private Object value(int place, Input in) {
        if (emptyAsDefault && in.peek() == '"' && in.at + 1 < in.end
                && in.bytes[in.at + 1] == '"') {
            in.at += 2;
            return columns.values[place].absent();
        }
        if (!strings) {
            return columns.read(place, in, layout);
        }
        try {
            return columns.readWhole(place, JsonTexts.string(in));
        } catch (FieldException e) {
            throw e.path().isEmpty() ? e.within(columns.names[place]) : e;
        }
    }

    @Override
    public String function() {
        return "penstock_ch_json_each_row_decode";
    }
}
