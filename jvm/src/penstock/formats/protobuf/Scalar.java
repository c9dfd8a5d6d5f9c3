package penstock.formats.protobuf;

import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/**
 * One value of a kind, between the wire and a column's type; unsigned numbers are those of Java that
 * have the same bits, as in Google's classes.
 */
interface Scalar {
    /** What stands at the input, or null if that is no value of the field. */
    Object read(WireInput in);

    /** The value of a column, of what was read. */
    default Object finish(Object read) {
        return read;
    }

    void write(SpecializedGetters values, int position, Utf8Buffer out);

    /** Whether a field that does not know presence leaves the value out. */
    boolean isZero(SpecializedGetters values, int position);

    static Scalar of(MessageSpec.Field field, DataType type) {
        return switch (field.kind()) {
            case BOOL -> of(in -> in.varint() != 0,
                    (values, i, out) -> Wire.varint(values.getBoolean(i) ? 1 : 0, out),
                    (values, i) -> !values.getBoolean(i));
            case INT32 -> integer(in -> (int) in.varint(), Wire::varint);
            case UINT32 -> integer(in -> (int) in.varint(),
                    (value, out) -> Wire.varint(Integer.toUnsignedLong((int) value), out));
            case SINT32 -> integer(in -> unzigzag((int) in.varint()),
                    (value, out) -> Wire.varint(Integer.toUnsignedLong(zigzag((int) value)), out));
            case FIXED32, SFIXED32 -> integer(WireInput::fixed32,
                    (value, out) -> Wire.fixed32((int) value, out));
            case INT64, UINT64 -> bigint(WireInput::varint, Wire::varint);
            case SINT64 -> bigint(in -> unzigzag(in.varint()),
                    (value, out) -> Wire.varint(zigzag(value), out));
            case FIXED64, SFIXED64 -> bigint(WireInput::fixed64, Wire::fixed64);
            case FLOAT -> of(in -> Float.intBitsToFloat(in.fixed32()),
                    (values, i, out) -> Wire.fixed32(bits(values.getFloat(i)), out),
                    (values, i) -> bits(values.getFloat(i)) == 0);
            case DOUBLE -> of(in -> Double.longBitsToDouble(in.fixed64()),
                    (values, i, out) -> Wire.fixed64(bits(values.getDouble(i)), out),
                    (values, i) -> bits(values.getDouble(i)) == 0);
            case STRING -> of(in -> text(in.text(), field.checked()),
                    (values, i, out) -> write(values.getUTF8String(i), out),
                    (values, i) -> values.getUTF8String(i).numBytes() == 0);
            case BYTES -> of(WireInput::delimited,
                    (values, i, out) -> Wire.delimited(values.getBinary(i), out),
                    (values, i) -> values.getBinary(i).length == 0);
            case ENUM -> new Label(field.labels(), type);
            default -> throw new IllegalArgumentException(field.name() + " is no scalar");
        };
    }

    /** Reads a value. */
    interface Read {
        Object from(WireInput in);
    }

    /** Writes a value. */
    interface Write {
        void to(SpecializedGetters values, int position, Utf8Buffer out);
    }

    /** Writes a whole number. */
    interface WriteNumber {
        void to(long value, Utf8Buffer out);
    }

    /** Looks at a value. */
    interface Test {
        boolean of(SpecializedGetters values, int position);
    }

    private static Scalar integer(Read read, WriteNumber write) {
        return of(read, (values, i, out) -> write.to(values.getInt(i), out),
                (values, i) -> values.getInt(i) == 0);
    }

    private static Scalar bigint(Read read, WriteNumber write) {
        return of(read, (values, i, out) -> write.to(values.getLong(i), out),
                (values, i) -> values.getLong(i) == 0);
    }

    private static Scalar of(Read read, Write write, Test zero) {
        return new Scalar() {
            @Override
            public Object read(WireInput in) {
                return read.from(in);
            }

            @Override
            public void write(SpecializedGetters values, int position, Utf8Buffer out) {
                write.to(values, position, out);
            }

            @Override
            public boolean isZero(SpecializedGetters values, int position) {
                return zero.of(values, position);
            }
        };
    }

    private static UTF8String text(UTF8String text, boolean checked) {
        if (text.isValid()) {
            return text;
        }
        if (checked) {
            throw new FieldException("a text is not UTF-8");
        }
        return UTF8String.fromString(text.toString());
    }

    private static void write(UTF8String text, Utf8Buffer out) {
        if (text.isValid()) {
            Wire.varint(text.numBytes(), out);
            out.add(text);
        } else {
            Wire.delimited(text.toString().getBytes(StandardCharsets.UTF_8), out);
        }
    }

    private static int bits(float value) {
        return Float.floatToRawIntBits(value);
    }

    private static long bits(double value) {
        return Double.doubleToRawLongBits(value);
    }

    private static int zigzag(int value) {
        return value << 1 ^ value >> Integer.SIZE - 1;
    }

    private static long zigzag(long value) {
        return value << 1 ^ value >> Long.SIZE - 1;
    }

    private static int unzigzag(int value) {
        return value >>> 1 ^ -(value & 1);
    }

    private static long unzigzag(long value) {
        return value >>> 1 ^ -(value & 1);
    }
}
