package penstock.formats.clickhouse;

import com.fasterxml.jackson.core.io.NumberInput;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Float32 and Float64, with {@code nan} and {@code inf}. */
final class FloatValue extends Value {
    private final boolean single;
    private final boolean quoteDenormals;
    private final boolean quoted;
    private final boolean boolsAsNumbers;

    FloatValue(ColumnType type, Settings settings) {
        super(type, settings);
        this.single = type.root().equals("FLOAT");
        this.quoteDenormals = settings.flag("output_format_json_quote_denormals", false);
        this.quoted = !single && settings.flag("output_format_json_quote_64bit_floats", false);
        this.boolsAsNumbers = settings.flag("input_format_json_read_bools_as_numbers", true);
    }

    @Override
    Object zero() {
        return value(0);
    }

    private Object value(double number) {
        return of(number, single);
    }

    static Object of(double number, boolean single) {
        return single ? (Object) (float) number : (Object) number;
    }

    @Override
    Object parse(Input in, Layout layout) {
        char mark = layout.openNumber(in);
        Object number = layout.isJson() && boolsAsNumbers && IntegerValue.isBool(in)
                ? value(IntegerValue.bool(in)) : number(in);
        close(in, mark);
        return number;
    }

    private Object number(Input in) {
        int start = in.at;
        int end = endOfNumber(in);
        in.at = end;
        String text = new String(in.bytes, start, end - start, StandardCharsets.US_ASCII);
        try {
            return single ? (Object) NumberInput.parseFloat(text, true)
                    : (Object) NumberInput.parseDouble(text, true);
        } catch (NumberFormatException e) {
            in.at = start;
            return word(in);
        }
    }

    private Object word(Input in) {
        int start = in.at;
        boolean negative = in.accept('-');
        if (!negative) {
            in.accept('+');
        }
        for (String word : new String[] {"infinity", "inf", "nan"}) {
            if (in.startsWithAnyCase(word)) {
                in.at += word.length();
                double found = word.equals("nan") ? Double.NaN : Double.POSITIVE_INFINITY;
                return value(negative ? -found : found);
            }
        }
        in.at = start;
        throw new FieldException("Cannot read floating point value here: " + in.rest());
    }

    /** Where the number ends that begins here: sign, digits, point, digits, exponent. */
    static int endOfNumber(Input in) {
        byte[] bytes = in.bytes;
        int i = in.at;
        if (i < in.end && (bytes[i] == '-' || bytes[i] == '+')) {
            i++;
        }
        i = endOfDigits(bytes, i, in.end);
        if (i < in.end && bytes[i] == '.') {
            i = endOfDigits(bytes, i + 1, in.end);
        }
        if (i < in.end && (bytes[i] | 0x20) == 'e') {
            int sign = i + 1 < in.end && (bytes[i + 1] == '-' || bytes[i + 1] == '+') ? 1 : 0;
            int end = endOfDigits(bytes, i + 1 + sign, in.end);
            return end > i + 1 + sign ? end : i;
        }
        return i;
    }

    private static int endOfDigits(byte[] bytes, int from, int end) {
        int i = from;
        while (i < end && Input.isDigit(bytes[i])) {
            i++;
        }
        return i;
    }

    @Override
    void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        double number = single ? values.getFloat(position) : values.getDouble(position);
        boolean finite = Double.isFinite(number);
        if (layout.isJson() && !finite && !quoteDenormals) {
            out.add("null");
            return;
        }
        boolean marked = layout.isJson() && (finite ? quoted : quoteDenormals);
        if (marked) {
            out.add('"');
        }
        out.add(single ? FloatTexts.of((float) number) : FloatTexts.of(number));
        if (marked) {
            out.add('"');
        }
    }
}
