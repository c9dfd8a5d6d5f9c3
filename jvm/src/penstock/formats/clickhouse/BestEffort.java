package penstock.formats.clickhouse;

import java.time.ZoneId;

/**
 * Times in the many forms that {@code date_time_input_format = 'best_effort'} and the functions
 * {@code parseDateTimeBestEffort} take: parts of a date and a time in any order, told apart by their
 * length and by what stands behind them. A part that is said twice is often added, as in ClickHouse.
 */
final class BestEffort {
    private static final int FIRST_YEAR_OF_CENTURY = 70;

    private final TimeScanner in;
    private final boolean monthFirst;
    private final boolean hasFraction;
    private final TimeParts parts = new TimeParts();

    private BestEffort(Input in, boolean monthFirst, boolean hasFraction) {
        this.in = new TimeScanner(in);
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
        if (parts.year > 0 != parts.hasTime && in.accept(',')) {
            parts.hasComma = true;
            if (in.atEnd()) {
                return false;
            }
        }
        if ((parts.year == 0 || !parts.hasTime) && in.digits() > 0) {
            return number();
        }
        return mark();
    }

    /** What begins with a digit; false if nothing can follow. */
    private boolean number() {
        boolean first = parts.year == 0 && !parts.hasTime;
        if (first && (in.count == 9 || in.count == 10 || in.count == 13)) {
            instant();
        } else if (first && in.count == 14) {
            parts.addDate(in.number / 1_000_000);
            parts.addTime(in.number % 1_000_000);
        } else if (in.count == 8 && parts.year == 0) {
            parts.addDate(in.number);
        } else if (in.count == 6) {
            six();
        } else if (in.count == 4 && parts.year == 0) {
            parts.year = (int) in.number;
            return afterYear();
        } else if (in.count <= 2) {
            return small((int) in.number);
        } else {
            throw in.unexpectedDigits("");
        }
        return true;
    }

    private void instant() {
        boolean isMillis = in.count == 13;
        parts.instant = isMillis ? in.number / 1000 : in.number;
        if (isMillis) {
            parts.fraction = in.number % 1000 * 1000;
        } else if (hasFraction && in.accept('.')) {
            parts.fraction = in.fraction();
        }
    }

    private void six() {
        if (parts.year == 0 && parts.month == 0) {
            parts.addDate(in.number * 100);
        } else if (!parts.hasTime) {
            parts.addTime(in.number);
        } else {
            throw TimeParts.bad("ambiguous 6 digits, it can be YYYYMM or hhmmss");
        }
    }

    /** {@code YYYY}, then month and day with one separator between all three. */
    private boolean afterYear() {
        int separator = in.peek();
        if (separator < 0 || parts.month > 0 && !endsDate(separator)) {
            return true;
        }
        if (endsDate(separator)) {
            return false;
        }
        in.skip();
        boolean spaced = separator == ' ';
        if (in.digits() != 1 && in.count != 2) {
            return unlessMore(spaced, "after year");
        }
        parts.month = (int) in.number;
        if (parts.day == 0 && in.peek() == separator) {
            in.skip();
            if (in.digits() != 1 && in.count != 2) {
                return unlessMore(spaced, "after year and month");
            }
            parts.day = (int) in.number;
        }
        return true;
    }

    /** Bytes beyond ASCII are negative numbers to ClickHouse. */
    private static boolean endsDate(int separator) {
        return separator < ' ' || separator > 0x7F || ",;'\"".indexOf(separator) >= 0;
    }

    private boolean unlessMore(boolean spaced, String place) {
        if (!spaced) {
            throw in.unexpectedDigits(place);
        }
        return true;
    }

    /** {@code hh:mm:ss}, {@code DD/MM/YYYY}, {@code MM/DD/YYYY}, a day, or an hour. */
    private boolean small(int first) {
        if (in.accept(':')) {
            clock(first);
        } else if (in.accept(',')) {
            if (parts.month > 0 && parts.day == 0) {
                parts.day = first;
            }
        } else if (acceptSeparator()) {
            return date(first);
        } else if (parts.day == 0) {
            parts.day = first;
        } else {
            parts.hour = first;
        }
        return true;
    }

    private void clock(int hour) {
        if (parts.hasTime) {
            throw TimeParts.bad("time component is duplicated");
        }
        parts.hasTime = true;
        parts.hour = hour;
        parts.minute += in.upToTwo("after hour");
        if (in.accept(':')) {
            parts.second += in.upToTwo("after hour and minute");
        }
    }

    private boolean acceptSeparator() {
        return in.accept('/') || in.accept('.') || in.accept('-');
    }

    /** A day and a month, or the other way round, and maybe a year. */
    private boolean date(int first) {
        if (parts.day > 0 || parts.month > 0) {
            throw TimeParts.bad((parts.day > 0 ? "day of month" : "month") + " is duplicated");
        }
        boolean isWord = !monthFirst && !Input.isDigit(in.peek());
        if (isWord) {
            parts.day = first;
            month();
        } else {
            int second = in.upToTwo(monthFirst ? "after month" : "after day of month");
            parts.day = monthFirst ? second : first;
            parts.month = monthFirst ? first : second;
        }
        if (parts.month > 12) {
            int month = parts.day;
            parts.day = parts.month;
            parts.month = month;
        }
        if (acceptSeparator()) {
            year();
            return true;
        }
        return !isWord || !in.atEnd() && mark();
    }

    private void year() {
        if (parts.year > 0) {
            throw TimeParts.bad("year component is duplicated");
        }
        if (in.digits() != 2 && in.count != 4) {
            throw in.unexpectedDigits("after day of month and month");
        }
        boolean isNew = in.number < FIRST_YEAR_OF_CENTURY;
        parts.year = (int) in.number + (in.count == 4 ? 0 : isNew ? 2000 : 1900);
    }

    private void month() {
        String word = in.word();
        int found = TimeWords.month(word);
        if (found == 0) {
            throw TimeParts.bad(word.length() < 3
                    ? "unexpected number of alphabetical characters after day of month: "
                            + word.length()
                    : "alphabetical characters after day of month don't look like month: " + word);
        }
        parts.month = found;
    }

    /** What begins with something else than a digit; false if it is no part of a time. */
    private boolean mark() {
        int next = in.peek();
        if (next == ' ' || next == 'T' && parts.year > 0 && !parts.hasTime) {
            in.skip();
        } else if (next == 'Z') {
            in.skip();
            parts.hasOffset = true;
        } else if (next == '.') {
            point();
        } else if (next == '+' || next == '-') {
            in.skip();
            offset(next == '-');
        } else {
            String word = in.word();
            return !word.isEmpty() && known(word);
        }
        return true;
    }

    private void point() {
        if (!parts.hasTime) {
            throw TimeParts.bad("unexpected point symbol");
        }
        if (parts.hasPoint) {
            throw TimeParts.bad("duplicate fractional part");
        }
        parts.hasPoint = true;
        in.skip();
        parts.fraction = in.fraction();
    }

    /** {@code +hh}, {@code +hhmm} or {@code +hh:mm}; or {@code hhmmss} behind a date. */
    private void offset(boolean negative) {
        in.digits();
        if (in.count == 6 && !parts.hasTime && parts.year > 0 && parts.month > 0 && parts.day > 0) {
            parts.addTime(in.number);
            return;
        }
        if (in.count == 0 || in.count > 4) {
            throw in.unexpectedDigits("for time zone offset");
        }
        boolean isLong = in.count > 2;
        int minutes = isLong ? (int) in.number % 100 : 0;
        parts.offsetHours += (int) (isLong ? in.number / 100 : in.number);
        if (!isLong && in.accept(':')) {
            minutes = in.upToTwo("for time zone offset in minutes");
        }
        parts.offsetMinutes += minutes;
        parts.hasOffset = true;
        parts.isWest |= negative;
    }

    private boolean known(String word) {
        int month = TimeWords.month(word);
        if (month > 0) {
            parts.month = month;
        } else if (TimeWords.isWeekday(word)) {
            in.accept(',');
        } else if (!parts.setZone(word) && !parts.setHalf(word)) {
            throw TimeParts.bad(word.length() == 1 ? "unexpected alphabetical character"
                    : "unexpected word");
        }
        return true;
    }
}
