package penstock.formats;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;

/** Numbers as values of a DECIMAL type. */
public final class Decimals {
    // As Jackson's for numbers in JSON: the time that digits take grows with their square.
    private static final int MAX_LENGTH = 1000;

    private Decimals() {}

    /** The number that a text spells. */
    public static BigDecimal parse(String number) {
        if (number.length() > MAX_LENGTH) {
            throw new NumberFormatException("a number of " + number.length() + " characters");
        }
        return new BigDecimal(number);
    }

    /** The number rounded half up to the type's scale; null if it has too many digits then. */
    public static Decimal fit(BigDecimal number, DecimalType type) {
        // First by magnitude: scaling 1E999999999 would need all of its digits.
        long wholeDigits = (long) number.precision() - number.scale();
        if (number.signum() != 0 && wholeDigits > type.precision() - type.scale()) {
            return null;
        }
        BigDecimal visible = wholeDigits < -type.scale() ? BigDecimal.ZERO : number;
        BigDecimal rounded = visible.setScale(type.scale(), RoundingMode.HALF_UP);
        if (rounded.precision() > type.precision()) {
            return null;
        }
        if (type.precision() <= Decimal.MAX_LONG_DIGITS()) {
            long unscaled = rounded.unscaledValue().longValue();
            return Decimal.createUnsafe(unscaled, type.precision(), type.scale());
        }
        return Decimal.apply(rounded, type.precision(), type.scale());
    }
}
