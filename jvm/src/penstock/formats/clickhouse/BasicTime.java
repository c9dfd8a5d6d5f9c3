package penstock.formats.clickhouse;

import java.time.ZoneId;
import penstock.formats.FieldException;

/** {@code YYYY-MM-DD hh:mm:ss[.f]}, {@code YYYY-MM-DD} or seconds since the epoch. */
final class BasicTime {
    static final long MICROS = 1_000_000;

    private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, MICROS};
    private static final int DATE_LENGTH = 10;
    private static final int SECONDS_LENGTH = 19;
    // Larger numbers of seconds count the units of a DateTime64.
    private static final long SECONDS_LIMIT = 1_000_000_000L;

    private BasicTime() {}

    static long power(int exponent) {
        return POWERS[exponent];
    }

    /** Microseconds since the epoch; leaves the input behind what was read. */
    static long micros(Input in, ZoneId zone, int digits) {
        if (in.end - in.at > 4 && !Input.isDigit(in.bytes[in.at + 4])
                && Input.isDigit(in.peek())) {
            long second = Calendar.instant(localSecond(in), zone);
            return second * MICROS + (digits > 0 && in.accept('.') ? fraction(in) : 0);
        }
        if (!Input.isDigit(in.peek())) {
            throw new FieldException(
                    digits == 0 ? "Cannot parse datetime" : "Cannot parse DateTime");
        }
        long number = IntegerValue.digits(in, true, true);
        if (digits > 0 && in.accept('.')) {
            return number * MICROS + fraction(in);
        }
        if (digits > 0 && number >= SECONDS_LIMIT * power(digits)) {
            return number * power(6 - digits);
        }
        return number * MICROS;
    }

    private static long localSecond(Input in) {
        if (in.end - in.at < DATE_LENGTH) {
            throw new FieldException("Cannot parse datetime");
        }
        int at = in.at;
        int month = two(in, at + 5);
        long days = Calendar.days(two(in, at) * 100 + two(in, at + 2), month, two(in, at + 8));
        in.at += DATE_LENGTH;
        if (in.peek() != ' ' && in.peek() != 'T') {
            return days * Calendar.SECONDS_PER_DAY;
        }
        if (in.end - at < SECONDS_LENGTH) {
            in.at++;
            throw new FieldException("Cannot parse time component of DateTime " + in.rest());
        }
        in.at = at + SECONDS_LENGTH;
        if (month < 1 || month > 12) {
            return 0;
        }
        return days * Calendar.SECONDS_PER_DAY + two(in, at + 11) * 3600L + two(in, at + 14) * 60L
                + two(in, at + 17);
    }

    private static int two(Input in, int at) {
        if (!Input.isDigit(in.bytes[at]) || !Input.isDigit(in.bytes[at + 1])) {
            throw new FieldException("Cannot parse datetime");
        }
        return (in.bytes[at] - '0') * 10 + in.bytes[at + 1] - '0';
    }

    /** The digits behind a point as microseconds; those below are left out. */
    static long fraction(Input in) {
        long micros = 0;
        int count = 0;
        for (; Input.isDigit(in.peek()); in.at++) {
            if (count < 6) {
                micros = micros * 10 + in.peek() - '0';
                count++;
            }
        }
        return micros * power(6 - count);
    }
}
