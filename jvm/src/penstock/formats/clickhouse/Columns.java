package penstock.formats.clickhouse;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;

/** The columns of a table: their values, and their places by name. */
final class Columns {
    static final int NONE = -1;

    final String[] names;
    final Value[] values;
    private final Map<UTF8String, Integer> places = new HashMap<>();
    private final Map<UTF8String, Integer> caseless = new HashMap<>();
    private final Set<UTF8String> groups = new HashSet<>();

    Columns(List<ColumnType> types, Settings settings) {
        this.names = types.stream().map(ColumnType::name).toArray(String[]::new);
        this.values = new Values(settings).all(types);
        Settings.Matching matching = settings.matching();
        for (int i = 0; i < names.length; i++) {
            UTF8String name = UTF8String.fromString(names[i]);
            if (matching != Settings.Matching.IGNORE_CASE) {
                places.put(name, i);
            }
            if (matching != Settings.Matching.MATCH_CASE) {
                caseless.putIfAbsent(name.toLowerCase(), i);
            }
            int dot = names[i].indexOf('.');
            if (dot > 0) {
                groups.add(UTF8String.fromString(names[i].substring(0, dot)));
            }
        }
    }

    int size() {
        return values.length;
    }

    /** The place of a column, {@link #NONE} if there is none of this name. */
    int place(UTF8String name) {
        Integer exact = places.get(name);
        return exact != null || caseless.isEmpty() ? orNone(exact)
                : orNone(caseless.get(name.toLowerCase()));
    }

    private static int orNone(Integer place) {
        return place == null ? NONE : place;
    }

    /** Whether there are columns whose names begin with this one and a point. */
    boolean hasGroup(UTF8String name) {
        return groups.contains(name);
    }

    /** Reads the value of a column. */
    Object read(int place, Input in, Layout layout) {
        try {
            return values[place].read(in, layout);
        } catch (FieldException e) {
            throw e.within(names[place]);
        }
    }

    /** Reads the value of a column from a text that is its own. */
    Object readWhole(int place, UTF8String text) {
        try {
            return values[place].readWhole(new Input(text.getBytes()));
        } catch (FieldException e) {
            throw e.within(names[place]);
        }
    }

    /** A row with defaults where nothing was found. */
    GenericInternalRow row(Object[] found, boolean[] isFound) {
        for (int i = 0; i < found.length; i++) {
            if (!isFound[i]) {
                found[i] = values[i].absent();
            }
        }
        return new GenericInternalRow(found);
    }
}
