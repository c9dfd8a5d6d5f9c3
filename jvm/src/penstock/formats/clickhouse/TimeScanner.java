package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import penstock.formats.FieldException;

/** A text of a time, taken apart into runs of digits and words. */
final class TimeScanner {
    // ClickHouse reads so many digits at once; more are another number.
    private static final int MOST_DIGITS = 19;

    private final Input in;
    /** How many digits were read last. */
    int count;
    /** The number that they make. */
    long number;

    TimeScanner(Input in) {
        this.in = in;
    }

    boolean atEnd() {
        return in.atEnd();
    }

    int peek() {
        return in.peek();
    }

    boolean accept(char ascii) {
        return in.accept(ascii);
    }

    void skip() {
        in.at++;
    }

    /** Reads the digits at this place; how many. */
    int digits() {
        count = 0;
        number = 0;
        for (; count < MOST_DIGITS && Input.isDigit(in.peek()); in.at++) {
            number = number * 10 + in.peek() - '0';
            count++;
        }
        return count;
    }

    /** A number of one or two digits. */
    int upToTwo(String place) {
        if (digits() == 0 || count > 2) {
            throw unexpectedDigits(place);
        }
        return (int) number;
    }

    FieldException unexpectedDigits(String place) {
        String where = place.isEmpty() ? "" : " " + place;
        return TimeParts.bad("unexpected number of decimal digits" + where + ": " + count);
    }

    /** Digits behind a point, as microseconds. */
    long fraction() {
        Input some = new Input(in.bytes, in.at, Math.min(in.end, in.at + MOST_DIGITS));
        long micros = BasicTime.fraction(some);
        in.at = some.at;
        return micros;
    }

    /** The letters at this place, in lower case. */
    String word() {
        int start = in.at;
        while (Input.isLetter(in.peek())) {
            in.at++;
        }
        return new String(in.bytes, start, in.at - start, StandardCharsets.US_ASCII)
                .toLowerCase(Locale.ROOT);
    }
}
