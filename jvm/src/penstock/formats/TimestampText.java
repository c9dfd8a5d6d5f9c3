package penstock.formats;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;

/**
 * Microseconds since the epoch ↔ one of the four texts of Flink's timestamps. The common form is read
 * and written digit by digit; all others go through the formatters that Flink uses.
 */
public final class TimestampText {
    /** {@code 2020-01-31 23:59:59.123} */
    public static final TimestampText SQL = new TimestampText(' ', false, sql().toFormatter());

    /** {@code 2020-01-31 23:59:59.123Z} */
    public static final TimestampText SQL_UTC =
            new TimestampText(' ', true, sql().appendLiteral('Z').toFormatter());

    /** {@code 2020-01-31T23:59:59.123} */
    public static final TimestampText ISO =
            new TimestampText('T', false, DateTimeFormatter.ISO_LOCAL_DATE_TIME);

    /** {@code 2020-01-31T23:59:59.123Z} */
    public static final TimestampText ISO_UTC = new TimestampText('T', true, iso());

    /** Room that the text of any timestamp needs. */
    public static final int MAX_LENGTH = 48;

    private static final int SECONDS_LENGTH = 19;
    private static final long MICROS_PER_SECOND = 1_000_000L;
    private static final long MICROS_PER_DAY = 86_400L * MICROS_PER_SECOND;

    private final char separator;
    private final boolean utc;
    private final DateTimeFormatter formatter;

    private TimestampText(char separator, boolean utc, DateTimeFormatter formatter) {
        this.separator = separator;
        this.utc = utc;
        this.formatter = formatter;
    }

    private static DateTimeFormatterBuilder sql() {
        return new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE)
                .appendLiteral(' ').appendPattern("HH:mm:ss")
                .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true);
    }

    private static DateTimeFormatter iso() {
        return new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE)
                .appendLiteral('T').append(DateTimeFormatter.ISO_LOCAL_TIME)
                .appendLiteral('Z').toFormatter();
    }

    /** The microseconds of a text; digits below them are cut off. */
    public long micros(char[] chars, int from, int length) {
        long micros = clean(chars, from, length);
        if (micros != DateText.UNCLEAN) {
            return micros;
        }
        String text = new String(chars, from, length);
        LocalDateTime time = LocalDateTime.parse(text, formatter);
        try {
            long seconds = Math.multiplyExact(time.toEpochSecond(ZoneOffset.UTC), MICROS_PER_SECOND);
            return Math.addExact(seconds, time.getNano() / 1000);
        } catch (ArithmeticException e) {
            throw new DateTimeException("Text '" + text + "' lies outside of all time", e);
        }
    }

    /** The microseconds of a text in the common form; null for all others. */
    public Long plainMicros(char[] chars) {
        long micros = clean(chars, 0, chars.length);
        return micros == DateText.UNCLEAN ? null : Long.valueOf(micros);
    }

    private long clean(char[] chars, int from, int length) {
        int end = from + length;
        if (utc) {
            if (length == 0 || chars[--end] != 'Z') {
                return DateText.UNCLEAN;
            }
        }
        if (end - from < SECONDS_LENGTH || chars[from + DateText.LENGTH] != separator) {
            return DateText.UNCLEAN;
        }
        long day = DateText.clean(chars, from, DateText.LENGTH);
        long second = secondOfDay(chars, from + DateText.LENGTH + 1);
        long fraction = fraction(chars, from + SECONDS_LENGTH, end);
        if (day == DateText.UNCLEAN || second < 0 || fraction < 0) {
            return DateText.UNCLEAN;
        }
        return day * MICROS_PER_DAY + second * MICROS_PER_SECOND + fraction;
    }

    private static long secondOfDay(char[] chars, int at) {
        int hour = Digits.two(chars, at);
        int minute = Digits.two(chars, at + 3);
        int second = Digits.two(chars, at + 6);
        if (chars[at + 2] != ':' || chars[at + 5] != ':' || (hour | minute | second) < 0
                || hour > 23 || minute > 59 || second > 59) {
            return -1;
        }
        return hour * 3600L + minute * 60L + second;
    }

    private static long fraction(char[] chars, int from, int end) {
        if (from == end) {
            return 0;
        }
        int digits = end - from - 1;
        if (chars[from] != '.' || digits < 1 || digits > 9) {
            return -1;
        }
        long micros = 0;
        for (int i = 0; i < digits; i++) {
            int digit = chars[from + 1 + i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            if (i < 6) {
                micros = micros * 10 + digit;
            }
        }
        for (int i = digits; i < 6; i++) {
            micros *= 10;
        }
        return micros;
    }

    /** The text of a time, with as many digits of a second as it needs. */
    public String text(long micros) {
        byte[] text = new byte[MAX_LENGTH];
        return new String(text, 0, put(micros, text, 0), StandardCharsets.US_ASCII);
    }

    /** Writes the text of a time and returns where it ends. */
    public int put(long micros, byte[] target, int at) {
        long day = Math.floorDiv(micros, MICROS_PER_DAY);
        long rest = Math.floorMod(micros, MICROS_PER_DAY);
        int end = DateText.put((int) day, target, at);
        int second = (int) (rest / MICROS_PER_SECOND);
        target[end] = (byte) separator;
        Digits.two(second / 3600, target, end + 1);
        target[end + 3] = ':';
        Digits.two(second / 60 % 60, target, end + 4);
        target[end + 6] = ':';
        Digits.two(second % 60, target, end + 7);
        end = putFraction((int) (rest % MICROS_PER_SECOND), target, end + 9);
        if (utc) {
            target[end++] = 'Z';
        }
        return end;
    }

    private static int putFraction(int micros, byte[] target, int at) {
        if (micros == 0) {
            return at;
        }
        target[at] = '.';
        Digits.two(micros / 10_000, target, at + 1);
        Digits.two(micros / 100 % 100, target, at + 3);
        Digits.two(micros % 100, target, at + 5);
        int end = at + 7;
        while (target[end - 1] == '0') {
            end--;
        }
        return end;
    }
}
