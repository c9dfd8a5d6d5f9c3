package penstock.formats;

import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;

/** Days since the epoch ↔ {@code yyyy-MM-dd}. */
public final class DateText {
    /** The length of a date of the years 0 to 9999. */
    static final int LENGTH = 10;

    /** Room that the text of any date needs. */
    public static final int MAX_LENGTH = 20;

    /** What {@link #clean} gives for a text that must be read by Java's own parser. */
    static final long UNCLEAN = Long.MIN_VALUE;

    private DateText() {}

    /** Days since the epoch of a strict ISO date. */
    public static int days(String text) {
        long day = clean(text.toCharArray(), 0, text.length());
        if (day == UNCLEAN) {
            day = LocalDate.parse(text, DateTimeFormatter.ISO_LOCAL_DATE).toEpochDay();
        }
        return (int) day;
    }

    /** Days since the epoch as {@code java.sql.Date} reads them: {@code 2020-1-5} is a date too. */
    public static int lenientDays(String text) {
        long day = clean(text.toCharArray(), 0, text.length());
        if (day == UNCLEAN) {
            day = sqlDate(text).toLocalDate().toEpochDay();
        }
        return (int) day;
    }

    private static java.sql.Date sqlDate(String text) {
        try {
            return java.sql.Date.valueOf(text);
        } catch (IllegalArgumentException silent) {
            throw new FieldException("Text '" + text + "' could not be parsed");
        }
    }

    /** The text of a day. */
    public static String text(int day) {
        return DateTimeFormatter.ISO_LOCAL_DATE.format(LocalDate.ofEpochDay(day));
    }

    /** Writes the text of a day and returns where it ends. */
    public static int put(int day, byte[] target, int at) {
        LocalDate date = LocalDate.ofEpochDay(day);
        int year = date.getYear();
        if (year < 0 || year > 9999) {
            return Digits.ascii(text(day), target, at);
        }
        Digits.two(year / 100, target, at);
        Digits.two(year % 100, target, at + 2);
        target[at + 4] = '-';
        Digits.two(date.getMonthValue(), target, at + 5);
        target[at + 7] = '-';
        Digits.two(date.getDayOfMonth(), target, at + 8);
        return at + LENGTH;
    }

    /** The day of a date in the plain form {@code yyyy-MM-dd}, else {@link #UNCLEAN}. */
    static long clean(char[] chars, int from, int length) {
        if (length != LENGTH || chars[from + 4] != '-' || chars[from + 7] != '-') {
            return UNCLEAN;
        }
        int century = Digits.two(chars, from);
        int yearOfCentury = Digits.two(chars, from + 2);
        int month = Digits.two(chars, from + 5);
        int day = Digits.two(chars, from + 8);
        if ((century | yearOfCentury) < 0 || month < 1 || month > 12 || day < 1) {
            return UNCLEAN;
        }
        int year = century * 100 + yearOfCentury;
        if (day > 28 && day > YearMonth.of(year, month).lengthOfMonth()) {
            return UNCLEAN;
        }
        return LocalDate.of(year, month, day).toEpochDay();
    }
}
