package penstock.formats.protobuf;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntBiFunction;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** A value of an enumeration, as its label or as its number; on the wire it is the number. */
final class Label implements Scalar {
    private static final UTF8String UNRECOGNIZED = UTF8String.fromString("UNRECOGNIZED");

    private final MessageSpec.Labels labels;
    private final DataType type;
    private final Map<Integer, Object> values = new HashMap<>();
    private final ToIntBiFunction<SpecializedGetters, Integer> number;

    Label(MessageSpec.Labels labels, DataType type) {
        this.labels = labels;
        this.type = type;
        labels.names().forEach((code, name) -> values.put(code, value(code, name)));
        this.number = type instanceof StringType ? numberOfName() : this::numberOf;
    }

    private Object value(int code, String name) {
        if (type instanceof StringType) {
            return UTF8String.fromString(name);
        }
        if (type.equals(DataTypes.LongType)) {
            return (long) code;
        }
        if (type.equals(DataTypes.ShortType)) {
            return code == (short) code ? (short) code : null;
        }
        if (type.equals(DataTypes.ByteType)) {
            return code == (byte) code ? (byte) code : null;
        }
        return code;
    }

    /** A closed enumeration has no other values than those with a label. */
    @Override
    public Object read(WireInput in) {
        Integer code = (int) in.varint();
        return labels.open() || labels.names().containsKey(code) ? code : null;
    }

    @Override
    public Object finish(Object code) {
        Object value = values.get(code);
        if (value != null) {
            return value;
        }
        if (type instanceof StringType) {
            return UNRECOGNIZED;
        }
        throw new FieldException(labels.names().containsKey(code)
                ? code + " is out of range of " + type.sql()
                : "Can't get the number of an unknown enum value: " + code);
    }

    @Override
    public void write(SpecializedGetters row, int position, Utf8Buffer out) {
        Wire.varint(number.applyAsInt(row, position), out);
    }

    @Override
    public boolean isZero(SpecializedGetters row, int position) {
        return number.applyAsInt(row, position) == 0;
    }

    /** What has no label is written as the first one. */
    private ToIntBiFunction<SpecializedGetters, Integer> numberOfName() {
        Map<UTF8String, Integer> numbers = new HashMap<>();
        labels.numbers().forEach((name, code) -> numbers.put(UTF8String.fromString(name), code));
        return (row, i) -> numbers.getOrDefault(row.getUTF8String(i), labels.first());
    }

    private int numberOf(SpecializedGetters row, int position) {
        long code = ((Number) row.get(position, type)).longValue();
        boolean known = code == (int) code && labels.names().containsKey((int) code);
        return known ? (int) code : labels.first();
    }
}
