package penstock.formats.clickhouse;

import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import penstock.formats.FieldException;

/** What a text says of a date and a time, part by part; 0 where it says nothing of the date. */
final class TimeParts {
    private static final int LAST_YEAR = 9999;

    int year;
    int month;
    int day;
    int hour;
    int minute;
    int second;
    boolean hasTime;
    boolean hasComma;
    boolean isMorning;
    boolean isAfternoon;
    // Microseconds
    long fraction;
    boolean hasPoint;
    // How far from Greenwich, if the text says so; else the zone of the column counts
    boolean hasOffset;
    boolean isWest;
    int offsetHours;
    int offsetMinutes;
    // Seconds since the epoch, null unless the text counts them
    Long instant;

    static FieldException bad(String problem) {
        return new FieldException("Cannot read DateTime: " + problem);
    }

    /** Adds the date that the digits {@code YYYYMMDD} say. */
    void addDate(long digits) {
        year += (int) (digits / 10_000);
        month += (int) (digits / 100 % 100);
        day += (int) (digits % 100);
    }

    /** Adds the time that the digits {@code hhmmss} say. */
    void addTime(long digits) {
        hour += (int) (digits / 10_000);
        minute += (int) (digits / 100 % 100);
        second += (int) (digits % 100);
        hasTime = true;
    }

    /** Takes the offset of a zone; false if this is the name of none. */
    boolean setZone(String name) {
        Integer hours = TimeWords.offset(name);
        if (hours == null) {
            return false;
        }
        hasOffset = true;
        offsetHours = hours == 0 ? offsetHours : hours;
        return true;
    }

    /** Takes the half of the day, {@code am} or {@code pm}; false if this is none. */
    boolean setHalf(String name) {
        isMorning |= name.equals("am");
        isAfternoon |= name.equals("pm");
        return name.equals("am") || name.equals("pm");
    }

    /** Microseconds since the epoch; the parts that lack are those of a date that has been. */
    long micros(ZoneId zone) {
        if (instant != null) {
            return instant * BasicTime.MICROS + fraction;
        }
        if (hasComma && (!hasTime || year == 0 || month == 0 || day == 0)) {
            throw bad("unexpected word after Date");
        }
        if (year == 0 && month == 0 && day == 0 && !hasTime) {
            throw bad("neither Date nor Time was parsed successfully");
        }
        long days = localDay(zone);
        long seconds = hourOfDay() * 3600L + minute * 60L + second;
        long offset = offsetHours * 3600L + offsetMinutes * 60L;
        long total = hasOffset
                ? days * Calendar.SECONDS_PER_DAY + seconds + (isWest ? offset : -offset)
                : Calendar.instant(days, seconds, zone);
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
        int shown = isMorning && hour == 12 ? 0 : hour;
        return isAfternoon && shown < 12 ? shown + 12 : shown;
    }
}
