package penstock.formats.clickhouse;

import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import penstock.formats.FieldException;

/** What a text says of a date and a time, part by part; 0 where it says nothing of the date. */
final class TimeParts {
    private static final int LAST_YEAR = 9999;

    /** Which half of the day an hour of twelve is in. */
    enum Half { AM, PM }

    int year;
    int month;
    int day;
    int hour;
    int minute;
    int second;
    boolean hasTime;
    Half half;
    // Microseconds
    long fraction;
    // Seconds east of Greenwich, null for the zone of the column
    Integer offset;
    // Seconds since the epoch, null unless the text counts them
    Long instant;

    static FieldException bad(String problem) {
        return new FieldException("Cannot read DateTime: " + problem);
    }

    /** Sets the date that the digits {@code YYYYMMDD} say. */
    void setDate(long digits) {
        year = (int) (digits / 10_000);
        month = (int) (digits / 100 % 100);
        day = (int) (digits % 100);
    }

    /** Sets the time that the digits {@code hhmmss} say. */
    void setTime(long digits) {
        hour = (int) (digits / 10_000);
        minute = (int) (digits / 100 % 100);
        second = (int) (digits % 100);
        hasTime = true;
    }

    /** Microseconds since the epoch; the parts that lack are those of a date that has been. */
    long micros(ZoneId zone) {
        if (instant != null) {
            return instant * BasicTime.MICROS + fraction;
        }
        if (year == 0 && month == 0 && day == 0 && !hasTime) {
            throw bad("neither Date nor Time was parsed successfully");
        }
        long local = localDay(zone) * Calendar.SECONDS_PER_DAY + hourOfDay() * 3600L + minute * 60L
                + second;
        long total = offset == null ? Calendar.instant(local, zone) : local - offset;
        return total * BasicTime.MICROS + fraction;
    }

    private long localDay(ZoneId zone) {
        day = Math.max(day, 1);
        month = Math.max(month, 1);
        if (year == 0) {
            LocalDate today = LocalDate.now(zone);
            boolean ahead = month * 32 + day > today.getMonthValue() * 32 + today.getDayOfMonth();
            year = ahead ? today.getYear() - 1 : today.getYear();
        }
        if (year < 0 || year > LAST_YEAR || month > 12
                || day > YearMonth.of(year, month).lengthOfMonth()) {
            throw bad("unexpected date: " + year + "-" + month + "-" + day);
        }
        return Calendar.days(year, month, day);
    }

    private int hourOfDay() {
        if (half == Half.PM && hour < 12) {
            return hour + 12;
        }
        return half == Half.AM && hour == 12 ? 0 : hour;
    }
}
