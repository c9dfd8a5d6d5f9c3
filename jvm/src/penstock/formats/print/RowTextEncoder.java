package penstock.formats.print;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import penstock.formats.CodecOptions;
import penstock.formats.Encoder;

/**
 * Writes a row as Flink's {@code print} connector shows it, without its kind: {@code [a, b]}, values
 * as Java writes Flink's external types, nested rows as inserts.
 */
public final class RowTextEncoder extends Encoder {
    private static final long serialVersionUID = 1L;
    private static final String NULL = "null";

    private interface Text {
        String of(SpecializedGetters values, int index);
    }

    private static final Map<DataType, Text> SIMPLE = Map.ofEntries(
            Map.entry(DataTypes.NullType, (values, i) -> NULL),
            Map.entry(DataTypes.BooleanType, (values, i) -> String.valueOf(values.getBoolean(i))),
            Map.entry(DataTypes.ByteType, (values, i) -> String.valueOf(values.getByte(i))),
            Map.entry(DataTypes.ShortType, (values, i) -> String.valueOf(values.getShort(i))),
            Map.entry(DataTypes.IntegerType, (values, i) -> String.valueOf(values.getInt(i))),
            Map.entry(DataTypes.LongType, (values, i) -> String.valueOf(values.getLong(i))),
            Map.entry(DataTypes.FloatType, (values, i) -> String.valueOf(values.getFloat(i))),
            Map.entry(DataTypes.DoubleType, (values, i) -> String.valueOf(values.getDouble(i))),
            Map.entry(DataTypes.BinaryType, (values, i) -> Arrays.toString(values.getBinary(i))),
            Map.entry(DataTypes.DateType,
                    (values, i) -> LocalDate.ofEpochDay(values.getInt(i)).toString()),
            Map.entry(DataTypes.TimestampType,
                    (values, i) -> instant(values.getLong(i)).toString()),
            Map.entry(DataTypes.TimestampNTZType, (values, i) ->
                    LocalDateTime.ofInstant(instant(values.getLong(i)), ZoneOffset.UTC).toString()));

    private final transient Text[] fields;

    /** An encoder for rows of a type. */
    public RowTextEncoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.fields = texts(schema);
    }

    private Object readResolve() {
        return new RowTextEncoder(schema, options);
    }

    @Override
    protected byte[] write(InternalRow row) {
        return row(row, fields).getBytes(StandardCharsets.UTF_8);
    }

    private static Text[] texts(StructType type) {
        return Arrays.stream(type.fields()).map(StructField::dataType).map(RowTextEncoder::text)
                .toArray(Text[]::new);
    }

    private static Text text(DataType type) {
        if (SIMPLE.containsKey(type)) {
            return SIMPLE.get(type);
        }
        if (type instanceof StringType) {
            return (values, i) -> values.getUTF8String(i).toString();
        }
        if (type instanceof DecimalType decimal) {
            return (values, i) -> values.getDecimal(i, decimal.precision(), decimal.scale())
                    .toJavaBigDecimal().toString();
        }
        if (type instanceof TimeType) {
            return (values, i) -> LocalTime.ofNanoOfDay(values.getLong(i)).toString();
        }
        if (type instanceof ArrayType array) {
            Text element = text(array.elementType());
            return (values, i) -> array(values.getArray(i), element);
        }
        if (type instanceof MapType map) {
            Text key = text(map.keyType());
            Text value = text(map.valueType());
            return (values, i) -> map(values.getMap(i), key, value);
        }
        if (type instanceof StructType row) {
            Text[] nested = texts(row);
            return (values, i) -> "+I" + row(values.getStruct(i, nested.length), nested);
        }
        throw new IllegalArgumentException("print has no text for the type " + type.sql());
    }

    private static String row(InternalRow values, Text[] fields) {
        return joined("[", "]", fields.length, i -> shown(values, i, fields[i]));
    }

    private static String array(ArrayData values, Text element) {
        return joined("[", "]", values.numElements(), i -> shown(values, i, element));
    }

    private static String map(MapData entries, Text key, Text value) {
        ArrayData keys = entries.keyArray();
        ArrayData values = entries.valueArray();
        return joined("{", "}", entries.numElements(),
                i -> shown(keys, i, key) + "=" + shown(values, i, value));
    }

    private static String joined(String open, String close, int count, IntFunction<String> part) {
        StringJoiner text = new StringJoiner(", ", open, close);
        for (int i = 0; i < count; i++) {
            text.add(part.apply(i));
        }
        return text.toString();
    }

    private static String shown(SpecializedGetters values, int index, Text text) {
        return values.isNullAt(index) ? NULL : text.of(values, index);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
