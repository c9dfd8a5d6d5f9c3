package penstock.functions.time;

import static java.time.temporal.ChronoField.DAY_OF_MONTH;
import static java.time.temporal.ChronoField.HOUR_OF_DAY;
import static java.time.temporal.ChronoField.MINUTE_OF_HOUR;
import static java.time.temporal.ChronoField.MONTH_OF_YEAR;
import static java.time.temporal.ChronoField.NANO_OF_SECOND;
import static java.time.temporal.ChronoField.SECOND_OF_MINUTE;
import static java.time.temporal.ChronoField.YEAR;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.TimestampText;

/**
 * The functions that Flink gives the patterns of java.time; no argument is null.
 *
 * <p>Times are microseconds, cut to a number of digits of a second.
 */
public final class StrictTexts {
    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .appendPattern("yyyy-[MM][M]-[dd][d]")
            .optionalStart()
            .appendPattern(" [HH][H]:[mm][m]:[ss][s]")
            .appendFraction(NANO_OF_SECOND, 0, 9, true)
            .optionalEnd()
            .toFormatter(Locale.US);
    private static final int TIMESTAMP_DIGITS = 3;
    private static final long MICROS_PER_SECOND = 1_000_000L;

    private StrictTexts() {}

    /** DATE_FORMAT of a local time. */
    public static UTF8String format(long micros, UTF8String pattern) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND),
                (int) Math.floorMod(micros, MICROS_PER_SECOND) * 1000, ZoneOffset.UTC);
        return UTF8String.fromString(Patterns.strict(pattern).format(time));
    }

    /** TO_TIMESTAMP and CAST of a text; null for any other text. */
    public static Long timestamp(UTF8String text, int digits) {
        String time = text.toString();
        // There is no year 0 of an era, which the pattern reads.
        Long micros = time.startsWith("0000") ? null
                : TimestampText.SQL.plainMicros(time.toCharArray());
        if (micros != null) {
            return Epochs.cut(micros, digits);
        }
        try {
            return Epochs.micros(time(TIMESTAMP.parse(time)), ZoneOffset.UTC, digits);
        } catch (DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    /** TO_TIMESTAMP with a pattern; null also for an invalid pattern. */
    public static Long timestamp(UTF8String text, UTF8String pattern) {
        try {
            return instant(text, pattern, TIMESTAMP_DIGITS);
        } catch (DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    /** TO_TIMESTAMP_LTZ with a pattern: the text is a time in UTC. */
    public static Long instant(UTF8String text, UTF8String pattern, int digits) {
        LocalDateTime time = read(text, pattern);
        return time == null ? null : Epochs.micros(time, ZoneOffset.UTC, digits);
    }

    /** TO_TIMESTAMP_LTZ with a pattern and a zone; null if there is no such zone. */
    public static Long instant(UTF8String text, UTF8String pattern, UTF8String zone, int digits) {
        LocalDateTime time = read(text, pattern);
        try {
            return time == null ? null
                    : Epochs.micros(time, ZoneId.of(zone.toString()), digits);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static LocalDateTime read(UTF8String text, UTF8String pattern) {
        DateTimeFormatter formatter;
        try {
            formatter = Patterns.strict(pattern);
        } catch (IllegalArgumentException e) {
            return null;
        }
        try {
            return time(formatter.parse(text.toString()));
        } catch (DateTimeParseException e) {
            return PlainTexts.time(text.toString());
        }
    }

    /** What the text does not say is that of 1970-01-01 00:00:00. */
    private static LocalDateTime time(TemporalAccessor fields) {
        return LocalDateTime.of(
                field(fields, YEAR, 1970),
                field(fields, MONTH_OF_YEAR, 1),
                field(fields, DAY_OF_MONTH, 1),
                field(fields, HOUR_OF_DAY, 0),
                field(fields, MINUTE_OF_HOUR, 0),
                field(fields, SECOND_OF_MINUTE, 0),
                field(fields, NANO_OF_SECOND, 0));
    }

    private static int field(TemporalAccessor fields, ChronoField field, int missing) {
        return fields.isSupported(field) ? fields.get(field) : missing;
    }
}
