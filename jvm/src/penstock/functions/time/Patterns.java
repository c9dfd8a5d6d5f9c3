package penstock.functions.time;

import java.text.SimpleDateFormat;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.Function;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.functions.ThreadCache;

/**
 * Java's two kinds of patterns, compiled once per thread.
 *
 * <p>Names and weeks are those of the United States on every machine, as in Flink's images.
 */
final class Patterns {
    private static final ThreadCache<DateTimeFormatter> FORMATTERS =
            cache(pattern -> DateTimeFormatter.ofPattern(pattern, Locale.US));
    private static final ThreadCache<SimpleDateFormat> LENIENT =
            cache(pattern -> new SimpleDateFormat(pattern, Locale.US));
    private static final ThreadCache<TimeZone> ZONES = new ThreadCache<>(TimeZone::getTimeZone);

    private Patterns() {}

    private static <V> ThreadCache<V> cache(Function<String, V> maker) {
        return new ThreadCache<>(pattern -> {
            try {
                return maker.apply(pattern);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("The pattern '" + pattern
                        + "' of a date or time is invalid: " + e.getMessage(), e);
            }
        });
    }

    /** Of java.time. */
    static DateTimeFormatter strict(UTF8String pattern) {
        return FORMATTERS.get(pattern);
    }

    /** Of java.text: months beyond 12 and text after the end are taken. */
    static SimpleDateFormat lenient(UTF8String pattern, TimeZone zone) {
        SimpleDateFormat format = LENIENT.get(pattern);
        // Reading a zone changes the one that the format has.
        format.setTimeZone(zone);
        return format;
    }

    /** The zone of a name; UTC for an unknown one. */
    static TimeZone zone(UTF8String name) {
        return ZONES.get(name);
    }
}
