package penstock.formats.clickhouse;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * ClickHouse's JSON functions: a document and a row of keys and places in it. What is not there is
 * the default of the result's type; null is only for a null among the arguments.
 */
public final class JsonFunctions implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int UNKNOWN = -2;

    private final boolean[] isKey;
    private final String type;
    private final boolean bools;
    private transient volatile JsonReader reader;

    /**
     * Functions with paths of this type, keys and places, or one BOOLEAN for the whole document;
     * what {@link #extract} gives has a type of ClickHouse.
     */
    public JsonFunctions(StructType path, String type, boolean bools) {
        boolean isWhole = path.apply(0).dataType().equals(DataTypes.BooleanType);
        this.isKey = new boolean[isWhole ? 0 : path.length()];
        for (int i = 0; i < isKey.length; i++) {
            isKey[i] = path.apply(i).dataType().equals(DataTypes.StringType);
        }
        this.type = type;
        this.bools = bools;
    }

    private JsonReader reader() {
        JsonReader current = reader;
        if (current == null) {
            current = JsonReader.of(type, bools);
            reader = current;
        }
        return current;
    }

    /** Spark's type of what {@link #extract} gives. */
    public DataType extracted() {
        return reader().type();
    }

    /** Whether a text is JSON. */
    public static boolean isValid(UTF8String text) {
        return JsonDocument.of(text).root() != JsonDocument.NONE;
    }

    /** The element that the path leads to; the place of its key if it is in an object. */
    private int walk(JsonDocument document, InternalRow path, boolean toKey) {
        for (int i = 0; i < isKey.length; i++) {
            if (path.isNullAt(i)) {
                return UNKNOWN;
            }
        }
        int at = document.root();
        for (int i = 0; i < isKey.length && at != JsonDocument.NONE; i++) {
            boolean isObject = document.kind(at) == JsonDocument.Kind.OBJECT;
            int found = isKey[i] ? document.find(at, path.getUTF8String(i))
                    : document.nth(at, (int) path.getLong(i));
            boolean isLast = i == isKey.length - 1;
            if (found != JsonDocument.NONE && toKey && isLast) {
                return isObject ? found : JsonDocument.NONE;
            }
            at = found != JsonDocument.NONE && isObject ? document.value(found) : found;
        }
        return toKey && isKey.length == 0 ? JsonDocument.NONE : at;
    }

    /** What a function makes of an element, {@link JsonDocument#NONE} for none. */
    private interface Found<T> {
        T of(JsonDocument document, int at);
    }

    private <T> T find(UTF8String text, InternalRow path, Found<T> found) {
        return find(text, path, false, found);
    }

    private <T> T find(UTF8String text, InternalRow path, boolean toKey, Found<T> found) {
        JsonDocument document = JsonDocument.of(text);
        int at = walk(document, path, toKey);
        return at == UNKNOWN ? null : found.of(document, at);
    }

    /** JSONHas. */
    public Boolean has(UTF8String text, InternalRow path) {
        return find(text, path, (document, at) -> at != JsonDocument.NONE);
    }

    /** JSONLength. */
    public Long length(UTF8String text, InternalRow path) {
        return find(text, path,
                (document, at) -> isContainer(document, at) ? (long) document.count(at) : 0L);
    }

    private static boolean isContainer(JsonDocument document, int at) {
        return at >= 0 && (document.bytes[at] == '{' || document.bytes[at] == '[');
    }

    /** JSONType. */
    public UTF8String type(UTF8String text, InternalRow path) {
        return find(text, path, (document, at) ->
                (at < 0 ? JsonDocument.Kind.NULL : document.kind(at)).label);
    }

    /** JSONKey. */
    public UTF8String key(UTF8String text, InternalRow path) {
        return find(text, path, true, (document, at) ->
                at < 0 ? UTF8String.EMPTY_UTF8 : document.text(at));
    }

    /** JSONExtractBool: whole numbers are true unless they are 0. */
    public Boolean bool(UTF8String text, InternalRow path) {
        return find(text, path, (document, at) -> at >= 0 && switch (document.kind(at)) {
            case BOOL -> document.bool(at);
            case INT64, UINT64 -> document.bits(at) != 0;
            default -> false;
        });
    }

    /** JSONExtractRaw. */
    public UTF8String raw(UTF8String text, InternalRow path) {
        return find(text, path, (document, at) ->
                at < 0 ? UTF8String.EMPTY_UTF8 : document.raw(at));
    }

    /** JSONExtract, JSONExtractInt and their kind. */
    public Object extract(UTF8String text, InternalRow path) {
        return find(text, path, (document, at) -> {
            Object found = at < 0 ? JsonReader.FAILED : reader().read(document, at);
            return found == JsonReader.FAILED ? reader().zero() : found;
        });
    }

    /** JSONExtractArrayRaw. */
    public ArrayData arrayRaw(UTF8String text, InternalRow path) {
        return find(text, path, (document, at) -> {
            List<Object> found = new ArrayList<>();
            if (at >= 0 && document.bytes[at] == '[') {
                for (int i = document.first(at); i != JsonDocument.NONE; i = document.next(i)) {
                    found.add(document.raw(i));
                }
            }
            return new GenericArrayData(found.toArray());
        });
    }

    /** JSONExtractKeys. */
    public ArrayData keys(UTF8String text, InternalRow path) {
        return pairs(text, path, (document, key) -> document.text(key));
    }

    /** JSONExtractKeysAndValuesRaw. */
    public ArrayData pairsRaw(UTF8String text, InternalRow path) {
        return pairs(text, path, (document, key) -> new GenericInternalRow(
                new Object[] {document.text(key), document.raw(document.value(key))}));
    }

    /** JSONExtractKeysAndValues: pairs whose values cannot be converted are left out. */
    public ArrayData pairsExtracted(UTF8String text, InternalRow path) {
        return pairs(text, path, (document, key) -> {
            Object value = reader().read(document, document.value(key));
            return value == JsonReader.FAILED ? null
                    : new GenericInternalRow(new Object[] {document.text(key), value});
        });
    }

    private ArrayData pairs(UTF8String text, InternalRow path, Found<Object> pair) {
        return find(text, path, (document, at) -> {
            List<Object> found = new ArrayList<>();
            if (at >= 0 && document.bytes[at] == '{') {
                for (int key = document.first(at); key != JsonDocument.NONE;
                        key = document.next(document.value(key))) {
                    Object one = pair.of(document, key);
                    if (one != null) {
                        found.add(one);
                    }
                }
            }
            return new GenericArrayData(found.toArray());
        });
    }

    /** Spark's type of pairs of a key and a value. */
    public static DataType pairsOf(DataType value, boolean nullable) {
        StructField[] fields = {
            DataTypes.createStructField("1", DataTypes.StringType, false),
            DataTypes.createStructField("2", value, nullable)};
        return DataTypes.createArrayType(DataTypes.createStructType(fields), false);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonFunctions same && type.equals(same.type)
                && bools == same.bools && Arrays.equals(isKey, same.isKey);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new Object[] {type, bools, Arrays.hashCode(isKey)});
    }
}
