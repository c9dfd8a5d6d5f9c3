package penstock.functions.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Spark's values as JSON. */
final class JsonNodes {
    private interface Converter {
        JsonNode convert(SpecializedGetters values, int position);
    }

    private static final long MICROS = 1_000_000L;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Map<DataType, Converter> SCALARS = Map.ofEntries(
            Map.entry(DataTypes.StringType,
                    (v, i) -> NODES.textNode(v.getUTF8String(i).toString())),
            Map.entry(DataTypes.BooleanType, (v, i) -> NODES.booleanNode(v.getBoolean(i))),
            Map.entry(DataTypes.ByteType, (v, i) -> NODES.numberNode(v.getByte(i))),
            Map.entry(DataTypes.ShortType, (v, i) -> NODES.numberNode(v.getShort(i))),
            Map.entry(DataTypes.IntegerType, (v, i) -> NODES.numberNode(v.getInt(i))),
            Map.entry(DataTypes.LongType, (v, i) -> NODES.numberNode(v.getLong(i))),
            Map.entry(DataTypes.FloatType, (v, i) -> NODES.numberNode(v.getFloat(i))),
            Map.entry(DataTypes.DoubleType, (v, i) -> NODES.numberNode(v.getDouble(i))),
            Map.entry(DataTypes.BinaryType, (v, i) -> NODES.binaryNode(v.getBinary(i))),
            Map.entry(DataTypes.TimestampNTZType,
                    (v, i) -> NODES.textNode(moment(v.getLong(i)))),
            Map.entry(DataTypes.TimestampType,
                    (v, i) -> NODES.textNode(moment(v.getLong(i)) + "Z")));

    private JsonNodes() {}

    static JsonNode of(SpecializedGetters values, int position, DataType type) {
        if (values.isNullAt(position)) {
            return NODES.nullNode();
        }
        if (type instanceof StructType) {
            StructType row = (StructType) type;
            return object(values.getStruct(position, row.length()), row);
        }
        if (type instanceof ArrayType) {
            return array(values.getArray(position), ((ArrayType) type).elementType());
        }
        if (type instanceof MapType) {
            return object(values.getMap(position), ((MapType) type).valueType());
        }
        if (type instanceof DecimalType) {
            DecimalType decimal = (DecimalType) type;
            return NODES.numberNode(values.getDecimal(position, decimal.precision(),
                    decimal.scale()).toJavaBigDecimal());
        }
        Converter converter = SCALARS.get(type);
        if (converter == null) {
            throw new IllegalArgumentException(type.simpleString() + " cannot be written as JSON");
        }
        return converter.convert(values, position);
    }

    private static ObjectNode object(InternalRow row, StructType type) {
        ObjectNode object = NODES.objectNode();
        StructField[] fields = type.fields();
        for (int i = 0; i < fields.length; i++) {
            object.set(fields[i].name(), of(row, i, fields[i].dataType()));
        }
        return object;
    }

    private static ObjectNode object(MapData map, DataType valueType) {
        ObjectNode object = NODES.objectNode();
        ArrayData keys = map.keyArray();
        ArrayData values = map.valueArray();
        for (int i = 0; i < map.numElements(); i++) {
            object.set(keys.getUTF8String(i).toString(), of(values, i, valueType));
        }
        return object;
    }

    private static ArrayNode array(ArrayData values, DataType elementType) {
        ArrayNode array = NODES.arrayNode();
        for (int i = 0; i < values.numElements(); i++) {
            array.add(of(values, i, elementType));
        }
        return array;
    }

    private static String moment(long micros) {
        return LocalDateTime.ofEpochSecond(Math.floorDiv(micros, MICROS),
                        (int) Math.floorMod(micros, MICROS) * 1000, ZoneOffset.UTC)
                .format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
    }
}
