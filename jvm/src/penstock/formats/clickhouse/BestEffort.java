package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Times in the many forms that {@code date_time_input_format = 'best_effort'} takes: parts of a date
 * and a time in any order, told apart by their length and by what stands behind them.
 */
final class BestEffort {
    private static final List<String> MONTHS = List.of("jan", "feb", "mar", "apr", "may", "jun",
            "jul", "aug", "sep", "oct", "nov", "dec");
    private static final Set<String> WEEKDAYS =
            Set.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
    private static final Set<String> GREENWICH = Set.of("z", "utc", "gmt");
    private static final int FIRST_YEAR_OF_CENTURY = 70;

    private final Input in;
    private final boolean monthFirst;
    private final boolean hasFraction;
    private final TimeParts parts = new TimeParts();

    private BestEffort(Input in, boolean monthFirst, boolean hasFraction) {
        this.in = in;
        this.monthFirst = monthFirst;
        this.hasFraction = hasFraction;
    }

    /**
     * Microseconds since the epoch; leaves the input behind what was read. With {@code monthFirst}
     * a date such as {@code 1/2/2020} is of January; seconds have a fraction only if the type has.
     */
    static long micros(Input in, ZoneId zone, boolean monthFirst, boolean hasFraction) {
        BestEffort reading = new BestEffort(in, monthFirst, hasFraction);
        boolean more = true;
        while (more && !in.atEnd() && reading.parts.instant == null) {
            more = reading.part();
        }
        return reading.parts.micros(zone);
    }

    /** Goes over the next part; false if what stands here is none. */
    private boolean part() {
        int next = in.peek();
        boolean begun = parts.year > 0 || parts.hasTime;
        if (Input.isDigit(next)) {
            number();
        } else if (Input.isLetter(next)) {
            word();
        } else if (next == ' ' || next == ',' && (begun || parts.month > 0)) {
            in.at++;
        } else if (next == '.') {
            point();
        } else if ((next == '+' || next == '-') && begun) {
            zoneOffset(next == '-' ? -1 : 1);
        } else {
            return false;
        }
        return true;
    }

    private void point() {
        if (!parts.hasTime) {
            throw TimeParts.bad("unexpected point symbol");
        }
        in.at++;
        parts.fraction = BasicTime.fraction(in);
    }

    private void number() {
        int start = in.at;
        long number = IntegerValue.digits(in, true, true);
        int length = in.at - start;
        boolean hasYear = parts.year > 0;
        boolean first = !hasYear && !parts.hasTime;
        if (first && (length == 9 || length == 10 || length == 13)) {
            instant(number, length == 13);
        } else if (first && length == 14) {
            parts.setDate(number / 1_000_000);
            parts.setTime(number % 1_000_000);
        } else if (length == 8 && !hasYear) {
            parts.setDate(number);
        } else if (length == 6 && !hasYear && parts.month == 0) {
            parts.year = (int) (number / 100);
            parts.month = (int) (number % 100);
        } else if (length == 6 && !parts.hasTime) {
            parts.setTime(number);
        } else if (length == 4 && !hasYear) {
            parts.year = (int) number;
            afterYear();
        } else if (length <= 2) {
            small((int) number);
        } else {
            throw TimeParts.bad("unexpected number of decimal digits: " + length);
        }
    }

    private void instant(long number, boolean isMillis) {
        if (isMillis) {
            parts.instant = number / 1000;
            parts.fraction = number % 1000 * 1000;
        } else {
            parts.instant = number;
            parts.fraction = hasFraction && in.accept('.') ? BasicTime.fraction(in) : 0;
        }
    }

    /** {@code YYYY}, then month and day with one separator between all three. */
    private void afterYear() {
        int separator = in.peek();
        if (separator < ' ' || ",;'\"".indexOf(separator) >= 0 || parts.month > 0) {
            return;
        }
        in.at++;
        if (!Input.isDigit(in.peek()) && separator == ' ') {
            return;
        }
        parts.month = upToTwo("after year");
        if (parts.day == 0 && in.peek() == separator) {
            in.at++;
            if (Input.isDigit(in.peek()) || separator != ' ') {
                parts.day = upToTwo("after year and month");
            }
        }
    }

    /** {@code hh:mm:ss}, {@code DD/MM/YYYY}, {@code MM/DD/YYYY}, a day, or an hour. */
    private void small(int number) {
        int separator = in.peek();
        boolean separated = separator == '/' || separator == '.' || separator == '-';
        if (separator == ':') {
            clock(number);
        } else if (parts.day == 0 && parts.month == 0 && separated) {
            in.at++;
            afterDay(number, separator);
        } else if (parts.day == 0) {
            parts.day = number;
        } else if (!parts.hasTime) {
            parts.hour = number;
            parts.hasTime = true;
        } else {
            throw TimeParts.bad("unexpected number of decimal digits: " + (number > 9 ? 2 : 1));
        }
    }

    private void clock(int number) {
        if (parts.hasTime) {
            throw TimeParts.bad("time component is duplicated");
        }
        parts.hasTime = true;
        parts.hour = number;
        in.at++;
        parts.minute = upToTwo("after hour");
        if (in.accept(':')) {
            parts.second = upToTwo("after minute");
            if (in.accept('.')) {
                parts.fraction = BasicTime.fraction(in);
            }
        }
    }

    private void afterDay(int number, int separator) {
        if (!monthFirst && Input.isLetter(in.peek())) {
            parts.day = number;
            word();
        } else {
            int other = upToTwo(monthFirst ? "after month" : "after day of month");
            int month = monthFirst ? number : other;
            // A month above 12 is a day: the text has the other order.
            boolean swapped = month > 12 != monthFirst;
            parts.day = swapped ? other : number;
            parts.month = swapped ? number : other;
        }
        if (in.peek() == separator) {
            in.at++;
            int start = in.at;
            int found = (int) IntegerValue.digits(in, true, true);
            boolean isShort = in.at - start == 2;
            parts.year = !isShort ? found : found + (found < FIRST_YEAR_OF_CENTURY ? 2000 : 1900);
        }
    }

    private int upToTwo(String place) {
        int start = in.at;
        int number = Input.isDigit(in.peek()) ? (int) IntegerValue.digits(in, true, true) : 0;
        int length = in.at - start;
        if (length == 0 || length > 2) {
            throw TimeParts.bad("unexpected number of decimal digits " + place + ": " + length);
        }
        return number;
    }

    private void word() {
        int start = in.at;
        while (Input.isLetter(in.peek())) {
            in.at++;
        }
        String text = new String(in.bytes, start, in.at - start, StandardCharsets.US_ASCII)
                .toLowerCase(Locale.ROOT);
        String head = text.substring(0, Math.min(3, text.length()));
        if (text.equals("t")) {
            return;
        }
        if (GREENWICH.contains(text)) {
            parts.offset = 0;
        } else if (text.equals("am") || text.equals("pm")) {
            parts.half = text.equals("am") ? TimeParts.Half.AM : TimeParts.Half.PM;
        } else if (MONTHS.contains(head)) {
            parts.month = MONTHS.indexOf(head) + 1;
        } else if (WEEKDAYS.contains(head)) {
            in.accept(',');
        } else {
            throw TimeParts.bad("unexpected alphabetical character");
        }
    }

    /** {@code +hh}, {@code +hhmm} or {@code +hh:mm}. */
    private void zoneOffset(int sign) {
        in.at++;
        int start = in.at;
        int number = (int) IntegerValue.digits(in, true, true);
        int length = in.at - start;
        int minutes = length > 2 ? number / 100 * 60 + number % 100 : number * 60;
        if (length <= 2 && in.accept(':')) {
            minutes += upToTwo("after hours of time zone offset");
        }
        parts.offset = sign * minutes * 60;
    }
}
