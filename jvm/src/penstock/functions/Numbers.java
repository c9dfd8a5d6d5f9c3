package penstock.functions;

import java.math.BigDecimal;
import org.apache.spark.sql.types.Decimal;

/**
 * Functions of numbers with Java's `Math`; no argument is null.
 *
 * <p>Spark's own take `StrictMath`, which differs in the last digit, and negate a decimal of more
 * than 34 digits by rounding it.
 */
public final class Numbers {
    private Numbers() {}

    /** The whole part's lower 64 bits. */
    public static long lowerBits(Decimal value) {
        return value.toJavaBigDecimal().longValue();
    }

    /** ABS of a decimal. */
    public static Decimal absolute(Decimal value) {
        return alike(value.toJavaBigDecimal().abs(), value);
    }

    /** Below, at or above 0 as one decimal is less than, equal to or greater than another. */
    public static int compare(Decimal one, Decimal other) {
        return one.toJavaBigDecimal().compareTo(other.toJavaBigDecimal());
    }

    /** A decimal with the other sign. */
    public static Decimal negative(Decimal value) {
        return alike(value.toJavaBigDecimal().negate(), value);
    }

    private static Decimal alike(BigDecimal number, Decimal type) {
        return Decimal.apply(number, type.precision(), type.scale());
    }

    /** CEIL. */
    public static double ceil(double value) {
        return Math.ceil(value);
    }

    /** FLOOR. */
    public static double floor(double value) {
        return Math.floor(value);
    }

    /** EXP. */
    public static double exp(double value) {
        return Math.exp(value);
    }

    /** LN: minus infinity of 0, NaN below. */
    public static double logarithm(double value) {
        return Math.log(value);
    }

    /** LOG and LOG2. */
    public static double logarithm(double base, double value) {
        return Math.log(value) / Math.log(base);
    }

    /** LOG10. */
    public static double logarithm10(double value) {
        return Math.log10(value);
    }

    /** ATAN2. */
    public static double arcTangent(double y, double x) {
        return Math.atan2(y, x);
    }

    /** POWER. */
    public static double power(double base, double exponent) {
        return Math.pow(base, exponent);
    }
}
