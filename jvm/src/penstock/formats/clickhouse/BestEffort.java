package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import penstock.formats.FieldException;

/**
 * Times in the many forms that {@code date_time_input_format = 'best_effort'} takes: parts of a date
 * and a time in any order, told apart by their length and by what stands behind them.
 */
final class BestEffort {
    private static final List<String> MONTHS = List.of("jan", "feb", "mar", "apr", "may", "jun",
            "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> WEEKDAYS =
            List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
    private static final int FIRST_YEAR_OF_CENTURY = 70;
    private static final int LAST_YEAR = 9999;

    private final Input in;
    private final ZoneId zone;
    private int year;
    private int month;
    private int day;
    private int hour;
    private int minute;
    private int second;
    private long fraction;
    private boolean hasTime;
    private boolean afternoon;
    private boolean forenoon;
    private Integer offset;
    private Long instant;

    BestEffort(Input in, ZoneId zone) {
        this.in = in;
        this.zone = zone;
    }

    /** Microseconds since the epoch; leaves the input behind what was read. */
    long micros() {
        boolean more = true;
        while (more && !in.atEnd() && instant == null) {
            more = part();
        }
        if (instant != null) {
            return instant * BasicTime.MICROS + fraction;
        }
        if (year == 0 && month == 0 && day == 0 && !hasTime) {
            throw bad("neither Date nor Time was parsed successfully");
        }
        return total() * BasicTime.MICROS + fraction;
    }

    private long total() {
        fillDate();
        if (year < 0 || year > LAST_YEAR || month > 12 || day > YearMonth.of(year, month).lengthOfMonth()) {
            throw bad("unexpected date: " + year + "-" + month + "-" + day);
        }
        int hours = afternoon && hour < 12 ? hour + 12 : forenoon && hour == 12 ? 0 : hour;
        long local = Calendar.days(year, month, day) * Calendar.SECONDS_PER_DAY + hours * 3600L
                + minute * 60L + second;
        return offset == null ? Calendar.instant(local, zone) : local - offset;
    }

    /** A date without a year is the last one that was. */
    private void fillDate() {
        day = Math.max(day, 1);
        if (year > 0) {
            month = Math.max(month, 1);
            return;
        }
        LocalDate today = LocalDate.now(zone);
        month = Math.max(month, 1);
        boolean ahead = month * 32 + day > today.getMonthValue() * 32 + today.getDayOfMonth();
        year = ahead ? today.getYear() - 1 : today.getYear();
    }

    private boolean part() {
        int next = in.peek();
        if (Input.isDigit(next)) {
            return number();
        }
        if (Input.isLetter(next)) {
            return word();
        }
        if (next == ' ' || next == ',' && (year > 0 || hasTime || month > 0)) {
            in.at++;
            return true;
        }
        if (next == '.') {
            return point();
        }
        if ((next == '+' || next == '-') && (hasTime || year > 0)) {
            return zoneOffset(next == '-' ? -1 : 1);
        }
        return false;
    }

    private boolean point() {
        if (!hasTime) {
            throw bad("unexpected point symbol");
        }
        in.at++;
        fraction = BasicTime.fraction(in);
        return true;
    }

    private boolean number() {
        int start = in.at;
        long number = IntegerValue.digits(in, true, true);
        int length = in.at - start;
        boolean first = year == 0 && !hasTime;
        if (first && length == 13) {
            instant = number / 1000;
            fraction = number % 1000 * 1000;
        } else if (first && (length == 10 || length == 9)) {
            instant = number;
            fraction = in.accept('.') ? BasicTime.fraction(in) : 0;
        } else if (first && length == 14) {
            date(number / 1_000_000);
            time(number % 1_000_000);
        } else if (length == 8 && year == 0) {
            date(number);
        } else if (length == 6 && year == 0 && month == 0) {
            year = (int) (number / 100);
            month = (int) (number % 100);
        } else if (length == 6 && !hasTime) {
            time(number);
        } else if (length == 4 && year == 0) {
            year = (int) number;
            afterYear();
        } else if (length <= 2) {
            small((int) number);
        } else {
            throw bad("unexpected number of decimal digits: " + length);
        }
        return true;
    }

    private void date(long number) {
        year = (int) (number / 10_000);
        month = (int) (number / 100 % 100);
        day = (int) (number % 100);
    }

    private void time(long number) {
        hour = (int) (number / 10_000);
        minute = (int) (number / 100 % 100);
        second = (int) (number % 100);
        hasTime = true;
    }

    /** {@code YYYY}, then month and day with one separator between all three. */
    private void afterYear() {
        int separator = in.peek();
        if (separator < ' ' || ",;'\"".indexOf(separator) >= 0 || month > 0) {
            return;
        }
        in.at++;
        if (!Input.isDigit(in.peek()) && separator == ' ') {
            return;
        }
        month = upToTwo("after year");
        if (day == 0 && in.peek() == separator) {
            in.at++;
            if (Input.isDigit(in.peek()) || separator != ' ') {
                day = upToTwo("after year and month");
            }
        }
    }

    /** {@code hh:mm:ss}, {@code DD/MM/YYYY}, {@code MM/DD/YYYY}, a day, or an hour. */
    private void small(int number) {
        int separator = in.peek();
        if (separator == ':') {
            clock(number);
        } else if (day == 0 && month == 0
                && (separator == '/' || separator == '.' || separator == '-')) {
            in.at++;
            afterDay(number, separator);
        } else if (day == 0) {
            day = number;
        } else if (!hasTime) {
            hour = number;
            hasTime = true;
        } else {
            throw bad("unexpected number of decimal digits: " + (number > 9 ? 2 : 1));
        }
    }

    private void clock(int number) {
        if (hasTime) {
            throw bad("time component is duplicated");
        }
        hasTime = true;
        hour = number;
        in.at++;
        minute = upToTwo("after hour");
        if (in.accept(':')) {
            second = upToTwo("after minute");
            if (in.accept('.')) {
                fraction = BasicTime.fraction(in);
            }
        }
    }

    private void afterDay(int number, int separator) {
        if (Input.isLetter(in.peek())) {
            day = number;
            word();
        } else {
            int other = upToTwo("after day of month");
            // A month above 12 is a day: the American order.
            day = other > 12 ? other : number;
            month = other > 12 ? number : other;
        }
        if (in.peek() == separator) {
            in.at++;
            int start = in.at;
            int found = (int) IntegerValue.digits(in, true, true);
            boolean isShort = in.at - start == 2;
            year = !isShort ? found : found + (found < FIRST_YEAR_OF_CENTURY ? 2000 : 1900);
        }
    }

    private int upToTwo(String place) {
        int start = in.at;
        int number = Input.isDigit(in.peek()) ? (int) IntegerValue.digits(in, true, true) : 0;
        int length = in.at - start;
        if (length == 0 || length > 2) {
            throw bad("unexpected number of decimal digits " + place + ": " + length);
        }
        return number;
    }

    private boolean word() {
        int start = in.at;
        while (Input.isLetter(in.peek())) {
            in.at++;
        }
        String text = new String(in.bytes, start, in.at - start, StandardCharsets.US_ASCII)
                .toLowerCase(Locale.ROOT);
        if (text.equals("t")) {
            return true;
        }
        if (text.equals("z") || text.equals("utc") || text.equals("gmt")) {
            offset = ZoneOffset.UTC.getTotalSeconds();
        } else if (text.equals("am") || text.equals("pm")) {
            forenoon = text.equals("am");
            afternoon = !forenoon;
        } else if (text.length() >= 3 && MONTHS.contains(text.substring(0, 3))) {
            month = MONTHS.indexOf(text.substring(0, 3)) + 1;
        } else if (text.length() < 3 || !WEEKDAYS.contains(text.substring(0, 3))) {
            throw bad("unexpected alphabetical character");
        } else {
            in.accept(',');
        }
        return true;
    }

    /** {@code +hh}, {@code +hhmm} or {@code +hh:mm}. */
    private boolean zoneOffset(int sign) {
        in.at++;
        int start = in.at;
        int number = (int) IntegerValue.digits(in, true, true);
        int length = in.at - start;
        int minutes = length > 2 ? number / 100 * 60 + number % 100 : number * 60;
        if (length <= 2 && in.accept(':')) {
            minutes += upToTwo("after hours of time zone offset");
        }
        offset = sign * minutes * 60;
        return true;
    }

    private static FieldException bad(String problem) {
        return new FieldException("Cannot read DateTime: " + problem);
    }
}
