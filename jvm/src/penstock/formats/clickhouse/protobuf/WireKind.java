package penstock.formats.clickhouse.protobuf;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.protobuf.Kind;

/**
 * Between the values that a kind of field has and numbers or texts.
 *
 * @param kind of the field
 */
record WireKind(Kind kind) {
    private static final BigDecimal MAX_UINT64 = new BigDecimal(Long.toUnsignedString(-1));
    private static final BigDecimal MAX_UINT32 = BigDecimal.valueOf(0xFFFF_FFFFL);

    boolean isText() {
        return kind == Kind.STRING || kind == Kind.BYTES;
    }

    boolean isReal() {
        return kind == Kind.FLOAT || kind == Kind.DOUBLE;
    }

    boolean isWide() {
        return kind == Kind.UINT64 || kind == Kind.FIXED64;
    }

    /** The bits of a whole number, with a sign unless it {@link #isWide}. */
    long bits(Object found) {
        if (found instanceof Boolean flag) {
            return flag ? 1 : 0;
        }
        long bits = ((Number) found).longValue();
        return kind == Kind.UINT32 || kind == Kind.FIXED32 ? bits & 0xFFFF_FFFFL : bits;
    }

    BigDecimal number(Object found) {
        if (isReal()) {
            double number = ((Number) found).doubleValue();
            if (!Double.isFinite(number)) {
                throw new ConversionException(found);
            }
            return new BigDecimal(found.toString());
        }
        long bits = bits(found);
        return isWide() ? new BigDecimal(Long.toUnsignedString(bits)) : BigDecimal.valueOf(bits);
    }

    /** The field's value of a number, without what stands behind the point. */
    Object of(BigDecimal number) {
        BigDecimal whole = number.setScale(0, RoundingMode.DOWN);
        return switch (kind) {
            case FLOAT -> number.floatValue();
            case DOUBLE -> number.doubleValue();
            case BOOL -> {
                if (whole.signum() < 0 || whole.compareTo(BigDecimal.ONE) > 0) {
                    throw new ConversionException(number.toPlainString());
                }
                yield whole.signum() > 0;
            }
            case UINT64, FIXED64 -> within(whole, BigDecimal.ZERO, MAX_UINT64).longValue();
            case UINT32, FIXED32 -> within(whole, BigDecimal.ZERO, MAX_UINT32).intValue();
            case INT32, SINT32, SFIXED32, ENUM -> within(whole,
                    BigDecimal.valueOf(Integer.MIN_VALUE),
                    BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
            default -> within(whole, BigDecimal.valueOf(Long.MIN_VALUE),
                    BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
        };
    }

    private static BigDecimal within(BigDecimal number, BigDecimal least, BigDecimal most) {
        if (number.compareTo(least) < 0 || number.compareTo(most) > 0) {
            throw new ConversionException(number.toPlainString());
        }
        return number;
    }

    Object ofBytes(byte[] text) {
        return kind == Kind.BYTES ? text : UTF8String.fromBytes(text);
    }

    byte[] bytesOf(Object found) {
        return found instanceof UTF8String text ? text.getBytes() : (byte[]) found;
    }
}
