package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import penstock.formats.DateText;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Date and Date32: {@code YYYY-MM-DD}, {@code YYYYMMDD}, or in JSON the number of days. */
final class DateValue extends Value {
    private static final int LAST_DATE = 0xFFFF;

    private final boolean wide;
    private final boolean boolsAsNumbers;

    DateValue(ColumnType type, Settings settings) {
        super(type, settings);
        this.wide = type.root().equals("DATE32");
        this.boolsAsNumbers = settings.flag("input_format_json_read_bools_as_numbers", true);
    }

    @Override
    Object zero() {
        return 0;
    }

    @Override
    Object parse(Input in, Layout layout) {
        if (layout.isJson() && layout.isNumber(in)) {
            long days = boolsAsNumbers && IntegerValue.isBool(in) ? IntegerValue.bool(in)
                    : IntegerValue.digits(in, wide, true);
            return wide ? (int) days : (int) (days & LAST_DATE);
        }
        char mark = layout.openText(in);
        long days = days(in);
        close(in, mark);
        return (int) (wide ? days : Math.max(0, Math.min(LAST_DATE, days)));
    }

    private static long days(Input in) {
        int year = digits(in, 4, 4);
        int month;
        int day;
        if (Input.isDigit(in.peek())) {
            month = digits(in, 2, 2);
            day = digits(in, 2, 2);
        } else {
            separator(in);
            month = digits(in, 1, 2);
            separator(in);
            day = digits(in, 1, 2);
        }
        return Calendar.days(year, month, day);
    }

    private static void separator(Input in) {
        if (in.atEnd()) {
            throw bad();
        }
        in.at++;
    }

    private static int digits(Input in, int least, int most) {
        int number = 0;
        int count = 0;
        for (; count < most && Input.isDigit(in.peek()); count++) {
            number = number * 10 + in.bytes[in.at++] - '0';
        }
        if (count < least) {
            throw bad();
        }
        return number;
    }

    private static FieldException bad() {
        return new FieldException(
                "Cannot parse date: expected a date in the YYYY-MM-DD or YYYYMMDD format");
    }

    @Override
    void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        layout.writeMark(out);
        byte[] room = out.reserve(DateText.MAX_LENGTH);
        out.endAt(DateText.put(values.getInt(position), room, out.size()));
        layout.writeMark(out);
    }
}
