package penstock.formats.clickhouse;

import java.math.BigInteger;
import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Elements of JSON as numbers: numbers that fit, and texts of such. */
final class JsonNumberReader {
    // ClickHouse's integers → the names they have here
    private static final Map<String, String> ROOTS = Map.of("Int8", "TINYINT",
            "Int16", "SMALLINT", "Int32", "INT", "Int64", "BIGINT", "UInt8", "UINT8",
            "UInt16", "UINT16", "UInt32", "UINT32", "UInt64", "UINT64");
    private static final Map<String, DataType> TYPES = Map.of(
            "TINYINT", DataTypes.ByteType, "SMALLINT", DataTypes.ShortType,
            "INT", DataTypes.IntegerType, "BIGINT", DataTypes.LongType,
            "UINT8", DataTypes.ShortType, "UINT16", DataTypes.IntegerType,
            "UINT32", DataTypes.LongType, "UINT64", DataTypes.createDecimalType(20, 0));

    private JsonNumberReader() {}

    static final class Whole extends JsonReader {
        private final String root;
        private final int bits;
        private final boolean signed;
        private final boolean bools;

        Whole(String name, boolean bools) {
            this.root = ROOTS.get(name);
            this.bits = Integer.parseInt(name.replaceAll("\\D", ""));
            this.signed = !root.startsWith("U");
            this.bools = bools;
        }

        @Override
        DataType type() {
            return TYPES.get(root);
        }

        @Override
        Object zero() {
            return narrowed(0);
        }

        private Object narrowed(long number) {
            return IntegerValue.NARROWED.get(root).apply(number);
        }

        @Override
        Object read(JsonDocument document, int at) {
            Long found = switch (document.kind(at)) {
                case INT64 -> JsonNumbers.ofLong(document.bits(at), bits, signed);
                case UINT64 -> signed || bits < Long.SIZE ? null : (Long) document.bits(at);
                case DOUBLE -> JsonNumbers.ofDouble(document.real(at), bits, signed);
                case STRING -> JsonNumbers.ofText(document.text(at), bits, signed);
                case BOOL -> bools ? (Long) (document.bool(at) ? 1L : 0L) : null;
                default -> null;
            };
            return found == null ? FAILED : narrowed(found);
        }
    }

    /** Bool: a UInt8 that is not 0. */
    static final class Flag extends JsonReader {
        private final Whole number = new Whole("UInt8", true);

        @Override
        DataType type() {
            return DataTypes.BooleanType;
        }

        @Override
        Object zero() {
            return false;
        }

        @Override
        Object read(JsonDocument document, int at) {
            Object found = number.read(document, at);
            return found == FAILED ? FAILED : (Object) ((Short) found != 0);
        }
    }

    static final class Real extends JsonReader {
        private final boolean single;
        private final boolean bools;

        Real(boolean single, boolean bools) {
            this.single = single;
            this.bools = bools;
        }

        @Override
        DataType type() {
            return single ? DataTypes.FloatType : DataTypes.DoubleType;
        }

        @Override
        Object zero() {
            return value(0);
        }

        private Object value(double number) {
            return FloatValue.of(number, single);
        }

        @Override
        Object read(JsonDocument document, int at) {
            return switch (document.kind(at)) {
                case INT64 -> single ? (Object) (float) document.bits(at)
                        : (Object) (double) document.bits(at);
                case UINT64 -> unsigned(document.bits(at));
                case DOUBLE -> value(document.real(at));
                case STRING -> ofText(document.text(at));
                case BOOL -> bools ? value(document.bool(at) ? 1 : 0) : FAILED;
                default -> FAILED;
            };
        }

        private Object unsigned(long bits) {
            BigInteger number = new BigInteger(Long.toUnsignedString(bits));
            return single ? (Object) number.floatValue() : (Object) number.doubleValue();
        }

        private Object ofText(UTF8String text) {
            String number = JsonNumbers.realIn(text);
            if (number == null) {
                return FAILED;
            }
            return single ? (Object) Float.parseFloat(number) : (Object) Double.parseDouble(number);
        }
    }
}
