package penstock.formats.clickhouse;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.unsafe.types.UTF8String;

/** What {@code JSONExtract} makes of an element, by the name of ClickHouse's type. */
abstract class JsonReader {
    /** The element cannot be converted. */
    static final Object FAILED = new Object();

    /** Spark's type of what is read. */
    abstract DataType type();

    /** What stands for an element that is not there or cannot be converted. */
    abstract Object zero();

    /** The value of an element, or {@link #FAILED}. */
    abstract Object read(JsonDocument document, int at);

    boolean isNullable() {
        return false;
    }

    /** The reader of a type; {@code bools} says whether {@code true} is a number. */
    static JsonReader of(String name, boolean bools) {
        if (name.startsWith("Nullable(")) {
            return new Optional(of(inner(name, "Nullable("), bools));
        }
        if (name.startsWith("Array(")) {
            return new Members(of(inner(name, "Array("), bools));
        }
        if (name.startsWith("Map(String, ")) {
            return new Pairs(of(inner(name, "Map(String, "), bools));
        }
        return switch (name) {
            case "String" -> new Text();
            case "Bool" -> new JsonNumberReader.Flag();
            case "Float32", "Float64" -> new JsonNumberReader.Real(name.equals("Float32"), bools);
            default -> new JsonNumberReader.Whole(name, bools);
        };
    }

    private static String inner(String name, String outer) {
        return name.substring(outer.length(), name.length() - 1);
    }

    private static final class Text extends JsonReader {
        @Override
        DataType type() {
            return DataTypes.StringType;
        }

        @Override
        Object zero() {
            return UTF8String.EMPTY_UTF8;
        }

        @Override
        Object read(JsonDocument document, int at) {
            return switch (document.kind(at)) {
                case NULL -> FAILED;
                case STRING -> document.text(at);
                default -> document.raw(at);
            };
        }
    }

    private static final class Optional extends JsonReader {
        private final JsonReader inner;

        Optional(JsonReader inner) {
            this.inner = inner;
        }

        @Override
        DataType type() {
            return inner.type();
        }

        @Override
        boolean isNullable() {
            return true;
        }

        @Override
        Object zero() {
            return null;
        }

        @Override
        Object read(JsonDocument document, int at) {
            return document.kind(at) == JsonDocument.Kind.NULL ? null : inner.read(document, at);
        }
    }

    private static final class Members extends JsonReader {
        private final JsonReader member;

        Members(JsonReader member) {
            this.member = member;
        }

        @Override
        DataType type() {
            return new ArrayType(member.type(), member.isNullable());
        }

        @Override
        Object zero() {
            return new GenericArrayData(new Object[0]);
        }

        /** An array of which nothing can be converted cannot be, either. */
        @Override
        Object read(JsonDocument document, int at) {
            if (document.kind(at) != JsonDocument.Kind.ARRAY) {
                return FAILED;
            }
            List<Object> found = new ArrayList<>();
            boolean good = false;
            for (int i = document.first(at); i != JsonDocument.NONE; i = document.next(i)) {
                Object value = member.read(document, i);
                good |= value != FAILED;
                found.add(value == FAILED ? member.zero() : value);
            }
            return good || found.isEmpty() ? new GenericArrayData(found.toArray()) : FAILED;
        }
    }

    private static final class Pairs extends JsonReader {
        private final JsonReader value;

        Pairs(JsonReader value) {
            this.value = value;
        }

        @Override
        DataType type() {
            return new MapType(DataTypes.StringType, value.type(), value.isNullable());
        }

        @Override
        Object zero() {
            return map(List.of(), List.of());
        }

        private static Object map(List<Object> keys, List<Object> values) {
            ArrayData ordered = new GenericArrayData(keys.toArray());
            return new ArrayBasedMapData(ordered, new GenericArrayData(values.toArray()));
        }

        @Override
        Object read(JsonDocument document, int at) {
            if (document.kind(at) != JsonDocument.Kind.OBJECT) {
                return FAILED;
            }
            List<Object> keys = new ArrayList<>();
            List<Object> values = new ArrayList<>();
            int place = JsonDocument.NONE;
            for (int key = document.first(at); key != JsonDocument.NONE;
                    key = document.next(place)) {
                place = document.value(key);
                Object found = value.read(document, place);
                keys.add(document.text(key));
                values.add(found == FAILED ? value.zero() : found);
            }
            return map(keys, values);
        }
    }
}
