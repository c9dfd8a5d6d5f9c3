package penstock.formats.protobuf;

import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import penstock.formats.Utf8Buffer;

/** Writes the values of one field with their tags; the value is never null. */
interface FieldWriter {
    void write(SpecializedGetters values, int position, Utf8Buffer out);

    static FieldWriter of(MessageSpec.Field field, DataType type, String nullText) {
        if (field.kind() == Kind.MAP) {
            return map(field, (MapType) type, nullText);
        }
        if (field.repeated()) {
            DataType element = ((ArrayType) type).elementType();
            FieldWriter writer = orNull(field, value(field, element, nullText), nullText);
            return field.packed() ? packed(field, writer) : each(field.tag(), writer);
        }
        return single(field, type, nullText);
    }

    private static FieldWriter single(MessageSpec.Field field, DataType type, String nullText) {
        FieldWriter value = tagged(field.tag(), value(field, type, nullText));
        if (field.presence()) {
            return value;
        }
        if (field.message() != null) {
            return unlessEmpty(field, value);
        }
        Scalar scalar = Scalar.of(field, type);
        return (values, position, out) -> {
            if (!scalar.isZero(values, position)) {
                value.write(values, position, out);
            }
        };
    }

    /** A message in which nothing is set is left out. */
    private static FieldWriter unlessEmpty(MessageSpec.Field field, FieldWriter value) {
        int headSize = Wire.varintLength(field.tag()) + 1;
        return (values, position, out) -> {
            int start = out.size();
            value.write(values, position, out);
            if (out.size() == start + headSize) {
                out.endAt(start);
            }
        };
    }

    private static FieldWriter tagged(int tag, FieldWriter value) {
        return (values, position, out) -> {
            Wire.varint(Integer.toUnsignedLong(tag), out);
            value.write(values, position, out);
        };
    }

    private static FieldWriter each(int tag, FieldWriter element) {
        FieldWriter tagged = tagged(tag, element);
        return (values, position, out) -> {
            ArrayData array = values.getArray(position);
            for (int i = 0; i < array.numElements(); i++) {
                tagged.write(array, i, out);
            }
        };
    }

    private static FieldWriter packed(MessageSpec.Field field, FieldWriter element) {
        int tag = Wire.tag(field.number(), Wire.DELIMITED);
        return (values, position, out) -> {
            ArrayData array = values.getArray(position);
            if (array.numElements() == 0) {
                return;
            }
            Wire.varint(Integer.toUnsignedLong(tag), out);
            int start = Wire.begin(out);
            for (int i = 0; i < array.numElements(); i++) {
                element.write(array, i, out);
            }
            Wire.end(start, out);
        };
    }

    private static FieldWriter map(MessageSpec.Field field, MapType type, String nullText) {
        MessageSpec.Field keyField = field.message().fields().get(0);
        MessageSpec.Field valueField = field.message().fields().get(1);
        FieldWriter key = entryPart(keyField, type.keyType(), nullText);
        FieldWriter value = entryPart(valueField, type.valueType(), nullText);
        return (values, position, out) -> {
            MapData map = values.getMap(position);
            for (int i = 0; i < map.numElements(); i++) {
                Wire.varint(Integer.toUnsignedLong(field.tag()), out);
                int start = Wire.begin(out);
                key.write(map.keyArray(), i, out);
                value.write(map.valueArray(), i, out);
                Wire.end(start, out);
            }
        };
    }

    private static FieldWriter entryPart(MessageSpec.Field field, DataType type, String nullText) {
        return tagged(field.tag(), orNull(field, value(field, type, nullText), nullText));
    }

    /** The value without a tag in front of it; a group has one behind it. */
    private static FieldWriter value(MessageSpec.Field field, DataType type, String nullText) {
        if (field.message() == null) {
            return Scalar.of(field, type)::write;
        }
        MessageWriter message = new MessageWriter(field.message(), (StructType) type, nullText);
        if (field.kind() == Kind.GROUP) {
            return (values, position, out) -> {
                message.write(values.getStruct(position, message.width()), out);
                endGroup(field, out);
            };
        }
        return (values, position, out) -> {
            int start = Wire.begin(out);
            message.write(values.getStruct(position, message.width()), out);
            Wire.end(start, out);
        };
    }

    /** There is no NULL in arrays and maps: the zero of the kind stands for it. */
    private static FieldWriter orNull(
            MessageSpec.Field field, FieldWriter value, String nullText) {
        return (values, position, out) -> {
            if (values.isNullAt(position)) {
                writeNull(field, nullText, out);
            } else {
                value.write(values, position, out);
            }
        };
    }

    private static void writeNull(MessageSpec.Field field, String nullText, Utf8Buffer out) {
        switch (field.kind()) {
            case STRING -> Wire.delimited(nullText.getBytes(StandardCharsets.UTF_8), out);
            case ENUM -> Wire.varint(field.labels().first(), out);
            case GROUP -> endGroup(field, out);
            case FLOAT, FIXED32, SFIXED32 -> Wire.fixed32(0, out);
            case DOUBLE, FIXED64, SFIXED64 -> Wire.fixed64(0, out);
            // The zero of a number, and the length of what is empty.
            default -> Wire.varint(0, out);
        }
    }

    private static void endGroup(MessageSpec.Field field, Utf8Buffer out) {
        Wire.varint(Integer.toUnsignedLong(Wire.tag(field.number(), Wire.END_GROUP)), out);
    }
}
