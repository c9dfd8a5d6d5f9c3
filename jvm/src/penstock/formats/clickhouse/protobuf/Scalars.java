package penstock.formats.clickhouse.protobuf;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.clickhouse.Addresses;
import penstock.formats.clickhouse.ColumnType;
import penstock.formats.clickhouse.Numeric;
import penstock.formats.clickhouse.Value;
import penstock.formats.protobuf.Kind;
import penstock.formats.protobuf.MessageSpec;

/**
 * The values of scalar fields for columns of each type. Numbers go between all that are numbers, as
 * far as they fit; texts hold the text that a column's value has elsewhere.
 */
final class Scalars {
    private static final long MICROS = 1_000_000;

    private final MessageSpec.Field field;
    private final ColumnType type;
    private final WireKind wire;
    private final Value value;

    private Scalars(MessageSpec.Field field, ColumnType type, CodecOptions options) {
        this.field = field;
        this.type = type;
        this.wire = new WireKind(field.kind());
        this.value = Value.of(type.required(), options);
    }

    static FieldValue of(MessageSpec.Field field, ColumnType type, CodecOptions options) {
        return FieldValue.named(field, new Scalars(field, type, options).value());
    }

    private FieldValue value() {
        boolean text = wire.isText();
        return switch (type.root()) {
            case "VARCHAR", "FIXEDSTRING" -> text ? bytes() : printed();
            case "ENUM8", "ENUM16" -> text ? parsed() : labels();
            case "IPV6" -> address();
            case "FLOAT", "DOUBLE" -> text ? parsed() : real();
            case "DECIMAL" -> text ? parsed() : decimal();
            case "BOOLEAN" -> text ? numberText() : whole();
            case "TIMESTAMP_LTZ" -> text ? parsed() : type.precision() > 0 ? time() : whole();
            default -> text ? parsed() : whole();
        };
    }

    /** Reads with one function and writes with another. */
    private static FieldValue both(
            Function<Object, Object> read, Writing write) {
        return new FieldValue() {
            @Override
            public Object read(Object found) {
                return read.apply(found);
            }

            @Override
            public Object write(SpecializedGetters values, int position) {
                return write.of(values, position);
            }
        };
    }

    /** Gives the field's value of a column's. */
    private interface Writing {
        Object of(SpecializedGetters values, int position);
    }

    private FieldValue bytes() {
        int size = type.root().equals("FIXEDSTRING") ? type.precision() : -1;
        return both(found -> {
            byte[] text = wire.bytesOf(found);
            if (size >= 0 && text.length > size) {
                throw new FieldException("Too large value for FixedString(" + size + ")");
            }
            return UTF8String.fromBytes(size < 0 ? text : Arrays.copyOf(text, size));
        }, (values, at) -> wire.ofBytes(values.getUTF8String(at).getBytes()));
    }

    /** A number, or the name of one, in a column of String. */
    private FieldValue printed() {
        return both(
                found -> value.ofText(UTF8String.fromString(name(found))),
                (values, at) -> ofName(values.getUTF8String(at).toString()));
    }

    private byte[] text(Object real) {
        ColumnType plain = ColumnType.plain(field.kind() == Kind.FLOAT ? "FLOAT" : "DOUBLE");
        return Value.of(plain, CodecOptions.parse("{}"))
                .text(new GenericInternalRow(new Object[] {real}), 0);
    }

    private String name(Object found) {
        if (field.kind() == Kind.ENUM) {
            String name = field.labels().names().get(found);
            if (name == null) {
                throw new ConversionException(found);
            }
            return name;
        }
        if (wire.isReal()) {
            return new String(text(found), StandardCharsets.US_ASCII);
        }
        return found instanceof Boolean ? found.toString() : wire.number(found).toPlainString();
    }

    private Object ofName(String text) {
        if (field.kind() == Kind.ENUM) {
            Integer number = field.labels().numbers().get(text);
            if (number == null) {
                throw new ConversionException(text);
            }
            return number;
        }
        if (field.kind() == Kind.BOOL) {
            if (!text.equals("true") && !text.equals("false")) {
                throw new ConversionException(text);
            }
            return Boolean.valueOf(text);
        }
        try {
            return wire.of(new BigDecimal(text.strip()));
        } catch (NumberFormatException e) {
            throw new ConversionException(text);
        }
    }

    /** The text that a value has elsewhere. */
    private FieldValue parsed() {
        return both(found -> value.ofText(UTF8String.fromBytes(wire.bytesOf(found))),
                (values, at) -> wire.ofBytes(value.text(values, at)));
    }

    /** A Bool is a number where it is text. */
    private FieldValue numberText() {
        return both(found -> !new String(wire.bytesOf(found), StandardCharsets.US_ASCII).equals("0"),
                (values, at) -> wire.ofBytes(
                        new byte[] {(byte) (values.getBoolean(at) ? '1' : '0')}));
    }

    private FieldValue whole() {
        Numeric numeric = Numeric.of(type);
        // The bits of an address may stand in a number with a sign.
        boolean isAddress = type.root().equals("IPV4");
        return both(found -> {
            if (wire.isReal() || wire.isWide() && !isAddress) {
                BigDecimal number = wire.number(found).setScale(0, RoundingMode.DOWN);
                checkFits(number, numeric.bits(), found);
                return numeric.value().apply(number.longValue());
            }
            long bits = wire.bits(found);
            if (!isAddress && !fits(bits, numeric.bits())) {
                throw new ConversionException(found);
            }
            return numeric.value().apply(bits);
        }, (values, at) -> wire.of(unsigned(numeric, values, at)));
    }

    private static BigDecimal unsigned(Numeric numeric, SpecializedGetters values, int at) {
        long bits = numeric.number().get(values, at);
        return numeric.bits() == Long.SIZE ? new BigDecimal(Long.toUnsignedString(bits))
                : BigDecimal.valueOf(bits);
    }

    private static boolean fits(long number, int bits) {
        if (bits < 0) {
            int unused = Long.SIZE + bits;
            return number << unused >> unused == number;
        }
        return number >= 0 && (bits >= Long.SIZE - 1 || number >>> bits == 0);
    }

    private static void checkFits(BigDecimal number, int bits, Object found) {
        BigDecimal limit = BigDecimal.valueOf(2).pow(bits < 0 ? -bits - 1 : bits);
        BigDecimal least = bits < 0 ? limit.negate() : BigDecimal.ZERO;
        if (number.compareTo(least) < 0 || number.compareTo(limit) >= 0) {
            throw new ConversionException(found);
        }
    }

    private FieldValue real() {
        boolean single = type.root().equals("FLOAT");
        return both(found -> {
            double number = wire.isReal() ? ((Number) found).doubleValue()
                    : wire.number(found).doubleValue();
            return single ? (Object) (float) number : (Object) number;
        }, (values, at) -> {
            double number = single ? values.getFloat(at) : values.getDouble(at);
            if (wire.isReal()) {
                return field.kind() == Kind.FLOAT ? (Object) (float) number : (Object) number;
            }
            if (!Double.isFinite(number)) {
                throw new ConversionException(number);
            }
            return wire.of(new BigDecimal(number));
        });
    }

    private FieldValue decimal() {
        int precision = type.precision();
        int scale = type.scale();
        return both(found -> {
            BigDecimal number = wire.number(found).setScale(scale, RoundingMode.DOWN);
            if (number.precision() > precision) {
                throw new ConversionException(found);
            }
            return Decimal.apply(number, precision, scale);
        }, (values, at) -> wire.of(values.getDecimal(at, precision, scale).toJavaBigDecimal()));
    }

    /** A DateTime64 is a decimal number of seconds. */
    private FieldValue time() {
        int digits = type.precision();
        return both(found -> {
            BigDecimal seconds = wire.number(found).setScale(digits, RoundingMode.DOWN);
            BigDecimal micros = seconds.multiply(BigDecimal.valueOf(MICROS));
            checkFits(micros, -Long.SIZE, found);
            return micros.longValue();
        }, (values, at) -> wire.of(BigDecimal.valueOf(values.getLong(at), 6)));
    }

    private FieldValue address() {
        return both(found -> Addresses.ofBytes(wire.bytesOf(found)),
                (values, at) -> wire.ofBytes(Addresses.bytes(values.getUTF8String(at))));
    }

    /** An Enum by its numbers; the enumeration of a field by names in any letter case, then those. */
    private FieldValue labels() {
        Map<Integer, UTF8String> byNumber = new HashMap<>();
        Map<UTF8String, Integer> numbers = new HashMap<>();
        List<String> labels = type.labels();
        for (int i = 0; i < labels.size(); i++) {
            Integer number = numberOf(labels.get(i), type.numbers().get(i));
            if (number != null) {
                UTF8String label = UTF8String.fromString(labels.get(i));
                byNumber.putIfAbsent(number, label);
                numbers.put(label, number);
            }
        }
        return both(found -> {
            UTF8String label = byNumber.get((int) wire.bits(found));
            if (label == null) {
                throw new ConversionException(found);
            }
            return label;
        }, (values, at) -> {
            Integer number = numbers.get(values.getUTF8String(at));
            if (number == null) {
                throw new ConversionException(values.getUTF8String(at));
            }
            return wire.of(BigDecimal.valueOf(number));
        });
    }

    private Integer numberOf(String label, int number) {
        if (field.kind() != Kind.ENUM) {
            return number;
        }
        for (Map.Entry<String, Integer> other : field.labels().numbers().entrySet()) {
            if (other.getKey().toLowerCase(Locale.ROOT).replace('.', '_')
                    .equals(label.toLowerCase(Locale.ROOT).replace('.', '_'))) {
                return other.getValue();
            }
        }
        return field.labels().names().containsKey(number) ? number : null;
    }
}
