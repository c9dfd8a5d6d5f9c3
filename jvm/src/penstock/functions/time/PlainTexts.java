package penstock.functions.time;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.unsafe.types.UTF8String;

/** Texts that are read without a pattern. */
public final class PlainTexts {
    // As java.sql.Timestamp and java.sql.Date have it: only month and day are limited.
    private static final Pattern TIME = Pattern.compile(
            "(\\d{4})-(\\d{1,2})-(\\d{1,2})"
            + "(?: ([+-]?\\d+):([+-]?\\d+):([+-]?\\d+)(?:\\.(\\d{1,9}))?)?");
    private static final Pattern DATE =
            Pattern.compile("\\s*(\\d+)\\s*(?:-\\s*(\\d+)\\s*(?:-\\s*(\\d+)\\s*)?)?");
    private static final int LAST_YEAR = 9999;
    private static final int MONTHS = 12;
    private static final int DAYS = 31;

    private PlainTexts() {}

    /** TO_DATE and CAST of a text; what follows a space is left out. */
    public static Integer date(UTF8String text) {
        String date = text.toString();
        int space = date.indexOf(' ');
        Matcher parts = DATE.matcher(space > 0 ? date.substring(0, space) : date);
        try {
            int year = parts.matches() ? number(parts, 1, 0) : LAST_YEAR + 1;
            return year > LAST_YEAR ? null : Integer.valueOf((int) LocalDate.of(year,
                    number(parts, 2, 1), number(parts, 3, 1)).toEpochDay());
        } catch (NumberFormatException | DateTimeException e) {
            return null;
        }
    }

    /** A time that does not have the form of its pattern; 30 February is 2 March. */
    static LocalDateTime time(String text) {
        Matcher parts = TIME.matcher(text.trim());
        try {
            return parts.matches() ? time(parts) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static LocalDateTime time(Matcher parts) {
        int month = number(parts, 2, 0);
        int day = number(parts, 3, 0);
        if (month < 1 || month > MONTHS || day < 1 || day > DAYS) {
            return null;
        }
        String fraction = parts.group(7) == null ? "0" : parts.group(7);
        return LocalDate.of(number(parts, 1, 0), month, 1).plusDays(day - 1).atStartOfDay()
                .plusHours(number(parts, 4, 0))
                .plusMinutes(number(parts, 5, 0))
                .plusSeconds(number(parts, 6, 0))
                .withNano(Integer.parseInt((fraction + "00000000").substring(0, 9)));
    }

    private static int number(Matcher parts, int group, int missing) {
        return parts.group(group) == null ? missing : Integer.parseInt(parts.group(group));
    }
}
