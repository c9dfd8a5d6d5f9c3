package penstock.functions.time;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;

/** What was read of a time so far, and the text it is read of; {@link #FAILED} ends the reading. */
final class ScannedTime {
    /** Thrown where the text does not fit; made once, since it is no error of the program. */
    static final RuntimeException FAILED = new RuntimeException(null, null, false, false) {
        private static final long serialVersionUID = 1L;
    };

    /** What a day is counted in. */
    enum DayOf { MONTH, YEAR, WEEK }

    private static final int NOON = 12;

    final byte[] bytes;
    int at;
    int year = 1970;
    int month = 1;
    int day = 1;
    int dayOfYear;
    int isoWeek = 1;
    int weekday = 1;
    /** Which of day, day of year and day of week stood last: that one counts. */
    DayOf dayOf = DayOf.MONTH;
    int hour;
    boolean isHalfDay;
    Boolean afternoon;
    int minute;
    int second;
    Integer offsetSeconds;

    ScannedTime(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A number of so many digits, no fewer, within its limits. */
    int number(int digits, int low, int high) {
        int number = 0;
        for (int i = 0; i < digits; i++) {
            number = number * 10 + digit();
        }
        return within(number, low, high);
    }

    /** A number of one or two digits, or of one behind a blank. */
    int padded(int low, int high) {
        boolean isBlank = at < bytes.length && bytes[at] == ' ';
        if (isBlank) {
            at++;
        }
        int number = digit();
        if (!isBlank && isDigit()) {
            number = number * 10 + digit();
        }
        return within(number, low, high);
    }

    private static int within(int number, int low, int high) {
        if (number < low || number > high) {
            throw FAILED;
        }
        return number;
    }

    boolean isDigit() {
        return at < bytes.length && bytes[at] >= '0' && bytes[at] <= '9';
    }

    int digit() {
        if (!isDigit()) {
            throw FAILED;
        }
        return bytes[at++] - '0';
    }

    void expect(byte wanted) {
        if (at >= bytes.length || bytes[at] != wanted) {
            throw FAILED;
        }
        at++;
    }

    /** Which of the words stands here, in any case; they begin with different letters or are whole. */
    int word(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (startsWith(words[i])) {
                at += words[i].length();
                return i;
            }
        }
        throw FAILED;
    }

    private boolean startsWith(String word) {
        if (at + word.length() > bytes.length) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (Character.toLowerCase(bytes[at + i]) != Character.toLowerCase(word.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** `+0130`. */
    void offset() {
        int sign = word("+", "-") == 0 ? 1 : -1;
        int hours = number(2, 0, 99);
        offsetSeconds = sign * (hours * 3600 + number(2, 0, 59) * 60);
    }

    /** Seconds since 1970. */
    long seconds(ZoneId zone) {
        if (at != bytes.length) {
            throw FAILED;
        }
        LocalDateTime local = date().atTime(hours(), minute, second);
        return offsetSeconds == null ? local.atZone(zone).toEpochSecond()
                : local.toEpochSecond(ZoneOffset.UTC) - offsetSeconds;
    }

    private int hours() {
        if (!isHalfDay) {
            return hour;
        }
        return hour % NOON + (Boolean.TRUE.equals(afternoon) ? NOON : 0);
    }

    private LocalDate date() {
        if (dayOf == DayOf.WEEK) {
            LocalDate first = LocalDate.of(year, 1, 4)
                    .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 1);
            return first.minusDays(first.getDayOfWeek().getValue() - 1L)
                    .plusDays((isoWeek - 1) * 7L + weekday - 1);
        }
        if (dayOf == DayOf.YEAR) {
            if (dayOfYear > LocalDate.of(year, 1, 1).lengthOfYear()) {
                throw FAILED;
            }
            return LocalDate.ofYearDay(year, dayOfYear);
        }
        if (day > LocalDate.of(year, month, 1).lengthOfMonth()) {
            throw FAILED;
        }
        return LocalDate.of(year, month, day);
    }
}
