package penstock.functions.time;

import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.apache.spark.sql.types.Decimal;

/**
 * TO_TIMESTAMP_LTZ of a number: units since 1970, of which a second has a power of ten.
 *
 * <p>The result is microseconds, cut to a number of digits of a second; null outside the years 0 to
 * 9999.
 */
public final class Epochs {
    private static final long FIRST_SECOND = -62_167_219_200L;
    private static final long LAST_SECOND = 253_402_300_799L;
    private static final long MICROS_PER_SECOND = 1_000_000L;
    private static final int MICRO_DIGITS = 6;
    private static final int MAX_DIGITS = 9;

    private Epochs() {}

    /** Of an integer. */
    public static Long instant(long number, int precision, int digits) {
        long units = power(precision);
        long seconds = Math.floorDiv(number, units);
        return instant(seconds, Math.floorMod(number, units) * power(MAX_DIGITS - precision),
                digits, seconds >= FIRST_SECOND && seconds <= LAST_SECOND);
    }

    /** Of a decimal, without its fraction. */
    public static Long instant(Decimal number, int precision, int digits) {
        long whole = number.toJavaBigDecimal().setScale(0, RoundingMode.DOWN).longValue();
        return instant(whole, precision, digits);
    }

    /** Of a floating point number. */
    public static Long instant(double number, int precision, int digits) {
        double exact = number / power(precision);
        long seconds = (long) exact;
        return instant(seconds, (long) ((exact - seconds) * power(MAX_DIGITS)), digits,
                !(exact < FIRST_SECOND || exact > LAST_SECOND));
    }

    private static Long instant(long seconds, long nanos, int digits, boolean known) {
        return known ? cut(seconds * MICROS_PER_SECOND + Math.floorDiv(nanos, 1000L), digits) : null;
    }

    /** The microseconds of a local time in a zone. */
    static Long micros(LocalDateTime time, ZoneId zone, int digits) {
        long seconds = time.atZone(zone).toEpochSecond();
        return cut(Math.addExact(Math.multiplyExact(seconds, MICROS_PER_SECOND),
                time.getNano() / 1000), digits);
    }

    /** The microseconds without the digits that a type lacks. */
    static Long cut(long micros, int digits) {
        long surplus = digits < MICRO_DIGITS ? power(MICRO_DIGITS - digits) : 1;
        return micros - Math.floorMod(micros, surplus);
    }

    private static long power(int digits) {
        if (digits < 0 || digits > MAX_DIGITS) {
            throw new IllegalArgumentException("The precision of TO_TIMESTAMP_LTZ is " + digits
                    + ", but must be between 0 and 9");
        }
        return (long) Math.pow(10, digits);
    }
}
