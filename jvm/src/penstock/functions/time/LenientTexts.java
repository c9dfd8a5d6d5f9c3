package penstock.functions.time;

import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.TimeZone;
import org.apache.spark.unsafe.types.UTF8String;

/** The functions that Flink gives the patterns of java.text; no argument is null. */
public final class LenientTexts {
    /** What UNIX_TIMESTAMP answers to a text that is no time. */
    private static final long UNREADABLE = Long.MIN_VALUE;

    private static final UTF8String TIMESTAMP = UTF8String.fromString("yyyy-MM-dd HH:mm:ss");
    private static final TimeZone UTC = TimeZone.getTimeZone("UTC");
    private static final long MILLIS_PER_DAY = 86_400_000L;

    private LenientTexts() {}

    /** TO_DATE with a pattern: days, or null. */
    public static Integer date(UTF8String text, UTF8String pattern) {
        Date date = read(text, pattern, UTC);
        return date == null ? null
                : Integer.valueOf((int) Math.floorDiv(date.getTime(), MILLIS_PER_DAY));
    }

    /** DATE_FORMAT of a text. */
    public static UTF8String reformat(UTF8String text, UTF8String pattern) {
        Date date = read(text, TIMESTAMP, UTC);
        SimpleDateFormat format = Patterns.lenient(pattern, UTC);
        return date == null ? null : UTF8String.fromString(format.format(date));
    }

    /** CONVERT_TZ. */
    public static UTF8String convertZone(UTF8String text, UTF8String from, UTF8String to) {
        Date date = read(text, TIMESTAMP, Patterns.zone(from));
        return date == null ? null : UTF8String.fromString(
                Patterns.lenient(TIMESTAMP, Patterns.zone(to)).format(date));
    }

    /** UNIX_TIMESTAMP of a text with a pattern: seconds. */
    public static long unixTime(UTF8String text, UTF8String pattern, TimeZone zone) {
        Date date = read(text, pattern, zone);
        return date == null ? UNREADABLE : date.getTime() / 1000;
    }

    /** UNIX_TIMESTAMP of a text. */
    public static long unixTime(UTF8String text, TimeZone zone) {
        return unixTime(text, TIMESTAMP, zone);
    }

    /** FROM_UNIXTIME with a pattern. */
    public static UTF8String fromUnixTime(long seconds, UTF8String pattern, TimeZone zone) {
        Date date = new Date(seconds * 1000);
        return UTF8String.fromString(Patterns.lenient(pattern, zone).format(date));
    }

    /** FROM_UNIXTIME. */
    public static UTF8String fromUnixTime(long seconds, TimeZone zone) {
        return fromUnixTime(seconds, TIMESTAMP, zone);
    }

    private static Date read(UTF8String text, UTF8String pattern, TimeZone zone) {
        ParsePosition position = new ParsePosition(0);
        Date date = Patterns.lenient(pattern, zone).parse(text.toString(), position);
        return position.getIndex() == 0 ? null : date;
    }
}
