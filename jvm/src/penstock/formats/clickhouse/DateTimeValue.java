package penstock.formats.clickhouse;

import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import penstock.formats.DateText;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** DateTime and DateTime64: a text in the column's zone, or seconds since the epoch. */
final class DateTimeValue extends Value {
    private static final long LAST_SECOND = 0xFFFF_FFFFL;
    // 9999-12-31 23:59:59
    private static final long LAST_SECOND_64 = 253_402_300_799L;
    private static final int TIME_LENGTH = 16;

    private final int digits;
    private final ZoneId zone;
    private final Settings.TimeInput input;
    private final Settings.TimeOutput form;

    DateTimeValue(ColumnType type, Settings settings) {
        super(type, settings);
        this.digits = type.precision();
        this.zone = type.zone();
        this.input = settings.timeInput();
        this.form = settings.timeOutput();
    }

    @Override
    Object zero() {
        return 0L;
    }

    @Override
    Object parse(Input in, Layout layout) {
        if (layout.isNumber(in)) {
            return seconds(in);
        }
        char mark = layout.openText(in);
        Input token = layout.token(in, mark);
        long micros = input == Settings.TimeInput.BASIC ? BasicTime.micros(token, zone, digits)
                : BestEffort.micros(
                        token, zone, input == Settings.TimeInput.BEST_EFFORT_US, digits > 0);
        in.at = token.at;
        close(in, mark);
        return fit(micros, digits);
    }

    private Object seconds(Input in) {
        boolean negative = in.peek() == '-';
        long second = IntegerValue.digits(in, true, true);
        long micros = in.accept('.') ? BasicTime.fraction(in) : 0;
        boolean below = negative && micros > 0;
        return fit(below ? second - 1 : second, below ? BasicTime.MICROS - micros : micros, digits);
    }

    /** The instant in the range of the type, without the digits that it does not have. */
    static long fit(long micros, int digits) {
        return fit(Math.floorDiv(micros, BasicTime.MICROS),
                Math.floorMod(micros, BasicTime.MICROS), digits);
    }

    private static long fit(long second, long micros, int digits) {
        if (digits == 0) {
            return Math.max(0, Math.min(LAST_SECOND, second)) * BasicTime.MICROS;
        }
        if (second > Long.MAX_VALUE / BasicTime.power(digits)
                || second < Long.MIN_VALUE / BasicTime.MICROS + 1) {
            throw new FieldException("Numeric value is out of range for DateTime64");
        }
        if (second > LAST_SECOND_64) {
            return LAST_SECOND_64 * BasicTime.MICROS;
        }
        long unit = BasicTime.power(6 - digits);
        return second * BasicTime.MICROS + micros / unit * unit;
    }

    @Override
    void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        long micros = values.getLong(position);
        long second = Math.floorDiv(micros, BasicTime.MICROS);
        layout.writeMark(out);
        if (form == Settings.TimeOutput.UNIX_TIMESTAMP) {
            out.add(second);
        } else {
            boolean iso = form == Settings.TimeOutput.ISO;
            clock(Calendar.local(second, iso ? ZoneOffset.UTC : zone), iso ? 'T' : ' ', out);
        }
        fraction(Math.floorMod(micros, BasicTime.MICROS), out);
        if (form == Settings.TimeOutput.ISO) {
            out.add('Z');
        }
        layout.writeMark(out);
    }

    private static void clock(long local, char separator, Utf8Buffer out) {
        int day = (int) Math.floorDiv(local, Calendar.SECONDS_PER_DAY);
        int second = (int) Math.floorMod(local, Calendar.SECONDS_PER_DAY);
        byte[] room = out.reserve(DateText.MAX_LENGTH + TIME_LENGTH);
        out.endAt(DateText.put(day, room, out.size()));
        out.add(separator);
        two(second / 3600, out);
        out.add(':');
        two(second / 60 % 60, out);
        out.add(':');
        two(second % 60, out);
    }

    private static void two(int number, Utf8Buffer out) {
        out.add((char) ('0' + number / 10));
        out.add((char) ('0' + number % 10));
    }

    private void fraction(long micros, Utf8Buffer out) {
        if (digits == 0) {
            return;
        }
        out.add('.');
        for (int i = 1; i <= digits; i++) {
            out.add((char) ('0' + micros / BasicTime.power(6 - i) % 10));
        }
    }
}
