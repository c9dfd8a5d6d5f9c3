package penstock.formats;

import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;

/** Times of day as Spark keeps them, nanoseconds since midnight, to the millisecond ↔ their text. */
public final class TimeText {
    /** Room that the text of any time needs. */
    public static final int MAX_LENGTH = 12;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final DateTimeFormatter SQL = new DateTimeFormatterBuilder()
            .appendPattern("HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter();

    private TimeText() {}

    /** The time that {@code HH:mm:ss[.f]} spells. */
    public static long nanos(String text) {
        return millis(LocalTime.parse(text, SQL)) * NANOS_PER_MILLI;
    }

    /** The time that {@code HH:mm[:ss[.f]]} spells, cut to so many digits of a second. */
    public static long lenientNanos(String text, int digits) {
        long unit = 1;
        for (int i = digits; i < 3; i++) {
            unit *= 10;
        }
        long millis = millis(LocalTime.parse(text));
        return (millis - millis % unit) * NANOS_PER_MILLI;
    }

    private static long millis(LocalTime time) {
        return time.toNanoOfDay() / NANOS_PER_MILLI;
    }

    /** The text of a time, with as many digits of a second as it needs. */
    public static String text(long nanos) {
        byte[] text = new byte[MAX_LENGTH];
        return new String(text, 0, put(nanos, text, 0), StandardCharsets.US_ASCII);
    }

    /** Writes the text of a time and returns where it ends. */
    public static int put(long nanos, byte[] target, int at) {
        int millis = (int) (nanos / NANOS_PER_MILLI);
        int second = millis / 1000;
        Digits.two(second / 3600, target, at);
        target[at + 2] = ':';
        Digits.two(second / 60 % 60, target, at + 3);
        target[at + 5] = ':';
        Digits.two(second % 60, target, at + 6);
        int fraction = millis % 1000;
        if (fraction == 0) {
            return at + 8;
        }
        target[at + 8] = '.';
        Digits.two(fraction / 10, target, at + 9);
        target[at + 11] = (byte) ('0' + fraction % 10);
        int end = at + 12;
        while (target[end - 1] == '0') {
            end--;
        }
        return end;
    }
}
