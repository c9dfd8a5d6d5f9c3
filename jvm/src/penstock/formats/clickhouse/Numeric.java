package penstock.formats.clickhouse;

import java.util.function.LongFunction;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.Decimal;
import penstock.formats.FieldException;

/**
 * A type that ClickHouse keeps as whole numbers: days, seconds, units of a decimal, and the bits of
 * unsigned ones. What does not fit is cut off, but for a Date.
 *
 * @param value a value of Spark's, of a number
 * @param number the number of the value at a position of a row or an array
 * @param bits how many the number has, negative for one with a sign
 */
public record Numeric(LongFunction<Object> value, Getter number, int bits) {
    private static final int LONG_DIGITS = 18;
    private static final int INT_DIGITS = 9;
    private static final int LAST_DATE = 0xFFFF;

    /** Gives the number of a value. */
    public interface Getter {
        /** The number at a position. */
        long get(SpecializedGetters values, int position);
    }

    /** How a type is kept, or null if its values are no numbers of up to 64 bits. */
    public static Numeric of(ColumnType type) {
        String root = type.root();
        if (IntegerValue.has(root)) {
            return new Numeric(IntegerValue.NARROWED.get(root), IntegerValue.GETTERS.get(root),
                    bitsOf(root));
        }
        return switch (root) {
            case "BOOLEAN" -> new Numeric(
                    bits -> bits != 0, (values, at) -> values.getBoolean(at) ? 1 : 0, 8);
            case "DATE" -> new Numeric(Numeric::date, SpecializedGetters::getInt, 16);
            case "DATE32" -> new Numeric(bits -> (int) bits, SpecializedGetters::getInt, -32);
            case "TIMESTAMP_LTZ" -> time(type.precision());
            case "DECIMAL" -> type.precision() > LONG_DIGITS ? null : decimal(type);
            case "IPV4" -> new Numeric(Addresses::ofNumber, Addresses::number, 32);
            default -> null;
        };
    }

    private static Object date(long days) {
        if (days < 0 || days > LAST_DATE) {
            throw new FieldException("Input value " + days + " exceeds the range of type Date,"
                    + " which is [0, " + LAST_DATE + "]");
        }
        return (int) days;
    }

    private static int bitsOf(String root) {
        return switch (root) {
            case "TINYINT" -> -8;
            case "SMALLINT" -> -16;
            case "INT" -> -32;
            case "BIGINT" -> -64;
            default -> Integer.parseInt(root.substring("UINT".length()));
        };
    }

    private static Numeric time(int digits) {
        if (digits == 0) {
            return new Numeric(bits -> (bits & 0xFFFF_FFFFL) * BasicTime.MICROS,
                    (values, at) -> Math.floorDiv(values.getLong(at), BasicTime.MICROS), 32);
        }
        long unit = BasicTime.power(6 - digits);
        return new Numeric(bits -> micros(bits, unit),
                (values, at) -> Math.floorDiv(values.getLong(at), unit), -64);
    }

    private static Object micros(long units, long unit) {
        if (Math.multiplyHigh(units, unit) != units * unit >> 63) {
            throw new FieldException("Numeric value is out of range for DateTime64");
        }
        return units * unit;
    }

    private static Numeric decimal(ColumnType type) {
        int precision = type.precision();
        int scale = type.scale();
        boolean narrow = precision <= INT_DIGITS;
        return new Numeric(
                bits -> Decimal.createUnsafe(narrow ? (int) bits : bits, precision, scale),
                (values, at) -> values.getDecimal(at, precision, scale).toUnscaledLong(),
                narrow ? -32 : -64);
    }
}
