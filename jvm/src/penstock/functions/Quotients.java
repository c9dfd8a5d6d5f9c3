package penstock.functions;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/**
 * ClickHouse's division of decimals: whole numbers of units, in the integer that its type has.
 *
 * <p>No argument is null. What that integer cannot hold is an error, also where ClickHouse wraps
 * around.
 */
public final class Quotients {
    private static final int NARROW_DIGITS = 9;
    private static final int WIDE_DIGITS = 18;

    private Quotients() {}

    /** The quotient towards 0, with the larger of both scales. */
    public static Decimal divide(Decimal dividend, Decimal divisor, int digits) {
        int scale = Math.max(dividend.scale(), divisor.scale());
        BigInteger factor = BigInteger.TEN.pow(scale + divisor.scale() - dividend.scale());
        BigInteger scaled = units(dividend, digits).multiply(held(factor, digits));
        return decimal(held(scaled, digits).divide(nonZero(divisor, digits)), scale);
    }

    /** The digits of the quotient before the point. */
    public static long whole(Decimal dividend, Decimal divisor, int digits) {
        BigDecimal found = divide(dividend, divisor, digits).toJavaBigDecimal();
        return held(found.toBigInteger(), WIDE_DIGITS).longValue();
    }

    /** The remainder of the units, whatever they stand for. */
    public static Decimal modulo(Decimal dividend, Decimal divisor, int digits) {
        int scale = Math.max(dividend.scale(), divisor.scale());
        BigInteger rest = units(dividend, digits).remainder(nonZero(divisor, digits));
        return decimal(rest, scale);
    }

    private static BigInteger nonZero(Decimal divisor, int digits) {
        BigInteger units = units(divisor, digits);
        if (units.signum() == 0) {
            throw new ValueException("Division by zero.");
        }
        return units;
    }

    private static BigInteger units(Decimal value, int digits) {
        return held(value.toJavaBigDecimal().unscaledValue(), digits);
    }

    private static BigInteger held(BigInteger number, int digits) {
        int bytes = digits <= NARROW_DIGITS ? Integer.BYTES
                : digits <= WIDE_DIGITS ? Long.BYTES : 2 * Long.BYTES;
        if (number.bitLength() >= bytes * Byte.SIZE) {
            throw new ValueException("A quotient of Decimals has too many digits on the way.");
        }
        return number;
    }

    private static Decimal decimal(BigInteger units, int scale) {
        BigDecimal number = new BigDecimal(units, scale);
        if (number.precision() > DecimalType.MAX_PRECISION()) {
            throw new ValueException("A quotient of Decimals has more than 38 digits.");
        }
        return Decimal.apply(number, DecimalType.MAX_PRECISION(), scale);
    }
}
