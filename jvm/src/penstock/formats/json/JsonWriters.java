package penstock.formats.json;

import java.math.BigDecimal;
import java.util.Base64;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import penstock.formats.CodecOptions;
import penstock.formats.DateText;
import penstock.formats.TimeText;
import penstock.formats.TimestampText;
import penstock.formats.Utf8Buffer;

/** The writer for each SQL type, under the options of a table. */
public final class JsonWriters {
    private static final Map<DataType, JsonWriter> SCALARS = Map.of(
            DataTypes.BooleanType, (values, i, out) -> out.add(String.valueOf(values.getBoolean(i))),
            DataTypes.ByteType, (values, i, out) -> out.add(values.getByte(i)),
            DataTypes.ShortType, (values, i, out) -> out.add(values.getShort(i)),
            DataTypes.IntegerType, (values, i, out) -> out.add(values.getInt(i)),
            DataTypes.LongType, (values, i, out) -> out.add(values.getLong(i)),
            DataTypes.FloatType, (values, i, out) -> number(
                    Float.toString(values.getFloat(i)), Float.isFinite(values.getFloat(i)), out),
            DataTypes.DoubleType, (values, i, out) -> number(
                    Double.toString(values.getDouble(i)), Double.isFinite(values.getDouble(i)), out),
            DataTypes.BinaryType, JsonWriters::base64,
            DataTypes.DateType, JsonWriters::date);

    private final CodecOptions options;
    private final Map<DataType, TimestampText> timestamps;
    private final boolean plainDecimals;

    /** The writers under these options. */
    public JsonWriters(CodecOptions options) {
        this.options = options;
        this.timestamps = JsonTypes.timestamps(options);
        this.plainDecimals = options.flag("encode.decimal-as-plain-number");
    }

    /** Whether NULL fields of rows are left out. */
    public boolean ignoreNullFields() {
        return options.flag("encode.ignore-null-fields");
    }

    JsonWriter writer(DataType type) {
        if (SCALARS.containsKey(type)) {
            return SCALARS.get(type);
        }
        if (timestamps.containsKey(type)) {
            return timestamp(timestamps.get(type));
        }
        if (type instanceof StringType) {
            return (values, i, out) -> JsonStrings.write(values.getUTF8String(i), out);
        }
        if (type instanceof DecimalType decimal) {
            return decimal(decimal);
        }
        if (type instanceof TimeType) {
            return JsonWriters::time;
        }
        if (type instanceof StructType row) {
            return new JsonRowWriter(row, this);
        }
        if (type instanceof ArrayType array) {
            return array(writer(array.elementType()));
        }
        if (type instanceof MapType map) {
            JsonTypes.expectStringKey(map);
            return new JsonMapWriter(writer(map.valueType()), options);
        }
        throw JsonTypes.unsupported(type);
    }

    /** What is not finite has no number in JSON; Jackson writes it as a string. */
    private static void number(String text, boolean finite, Utf8Buffer out) {
        out.add(finite ? text : '"' + text + '"');
    }

    private static void base64(SpecializedGetters values, int position, Utf8Buffer out) {
        out.add('"');
        out.add(Base64.getEncoder().encode(values.getBinary(position)));
        out.add('"');
    }

    private static void date(SpecializedGetters values, int position, Utf8Buffer out) {
        out.add('"');
        byte[] room = out.reserve(DateText.MAX_LENGTH);
        out.endAt(DateText.put(values.getInt(position), room, out.size()));
        out.add('"');
    }

    private static void time(SpecializedGetters values, int position, Utf8Buffer out) {
        out.add('"');
        byte[] room = out.reserve(TimeText.MAX_LENGTH);
        out.endAt(TimeText.put(values.getLong(position), room, out.size()));
        out.add('"');
    }

    private static JsonWriter timestamp(TimestampText form) {
        return (values, position, out) -> {
            out.add('"');
            byte[] room = out.reserve(TimestampText.MAX_LENGTH);
            out.endAt(form.put(values.getLong(position), room, out.size()));
            out.add('"');
        };
    }

    private JsonWriter decimal(DecimalType type) {
        return (values, position, out) -> {
            BigDecimal number = values.getDecimal(position, type.precision(), type.scale())
                    .toJavaBigDecimal();
            out.add(plainDecimals ? number.toPlainString() : number.stripTrailingZeros().toString());
        };
    }

    private static JsonWriter array(JsonWriter element) {
        return (values, position, out) -> {
            ArrayData array = values.getArray(position);
            out.add('[');
            for (int i = 0; i < array.numElements(); i++) {
                if (i > 0) {
                    out.add(',');
                }
                element.writeNullable(array, i, out);
            }
            out.add(']');
        };
    }
}
