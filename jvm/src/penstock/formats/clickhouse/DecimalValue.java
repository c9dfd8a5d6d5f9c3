package penstock.formats.clickhouse;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.Decimal;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Decimal(P, S): digits behind the scale are cut off, too many before it are an error. */
final class DecimalValue extends Value {
    private static final int LONG_DIGITS = 18;
    // Beyond it a number is zero or too large in any case.
    private static final long MAX_EXPONENT = 1000;

    private final int precision;
    private final int scale;
    private final boolean quoted;
    private final boolean trailingZeros;

    DecimalValue(ColumnType type, Settings settings) {
        super(type, settings);
        this.precision = type.precision();
        this.scale = type.scale();
        this.quoted = settings.flag("output_format_json_quote_decimals", false);
        this.trailingZeros = settings.flag("output_format_decimal_trailing_zeros", false);
    }

    @Override
    Object zero() {
        return Decimal.apply(0L, precision, scale);
    }

    @Override
    Object parse(Input in, Layout layout) {
        char mark = layout.openNumber(in);
        Decimal number = number(in);
        close(in, mark);
        return number;
    }

    private Decimal number(Input in) {
        if (in.atEnd()) {
            throw Input.afterEnd();
        }
        boolean negative = in.peek() == '-';
        if (negative || in.peek() == '+') {
            in.at++;
        }
        int start = in.at;
        int point = -1;
        long unscaled = 0;
        int digits = 0;
        int fraction = 0;
        byte[] bytes = in.bytes;
        for (; in.at < in.end; in.at++) {
            byte next = bytes[in.at];
            if (next == '.' && point < 0) {
                point = in.at;
            } else if (!Input.isDigit(next)) {
                break;
            } else if (point < 0 || fraction < scale) {
                unscaled = unscaled * 10 + next - '0';
                digits += digits > 0 || next != '0' ? 1 : 0;
                fraction += point < 0 ? 0 : 1;
            }
        }
        int end = in.at;
        int exponent = exponent(in);
        if (digits - fraction > precision) {
            throw new FieldException("Too many digits (" + (digits - fraction) + " > " + precision
                    + ") in decimal value");
        }
        if (exponent == 0 && digits + scale - fraction <= LONG_DIGITS) {
            for (int i = fraction; i < scale; i++) {
                unscaled *= 10;
            }
            return fit(BigDecimal.valueOf(negative ? -unscaled : unscaled, scale), in, start, end,
                    digits, exponent);
        }
        String text = in.textFrom(start).substring(0, end - start);
        BigDecimal number = new BigDecimal(
                (negative ? "-0" : "0") + (text.endsWith(".") ? text + "0" : text));
        return fit(number.scaleByPowerOfTen(exponent), in, start, end, digits, exponent);
    }

    private static int exponent(Input in) {
        if ((in.peek() | 0x20) != 'e' || in.atEnd()) {
            return 0;
        }
        in.at++;
        if (in.atEnd()) {
            throw new FieldException("Cannot parse exponent while reading decimal");
        }
        if (!Input.isDigit(in.peek()) && in.peek() != '-' && in.peek() != '+') {
            return 0;
        }
        long exponent = IntegerValue.digits(in, true, true);
        return (int) Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, exponent));
    }

    private Decimal fit(
            BigDecimal number, Input in, int start, int end, int digits, int exponent) {
        long wholeDigits = (long) number.precision() - number.scale();
        if (number.signum() != 0 && wholeDigits > precision - scale) {
            String read = new String(
                    in.bytes, start, end - start, StandardCharsets.US_ASCII).replace(".", "");
            throw new FieldException("Decimal value is too big: " + digits
                    + " digits were read: '" + read + "'e" + exponent
                    + ". Expected to read decimal with scale " + scale + " and precision "
                    + precision);
        }
        BigDecimal cut = wholeDigits < -scale ? BigDecimal.ZERO.setScale(scale)
                : number.setScale(scale, RoundingMode.DOWN);
        return precision <= LONG_DIGITS
                ? Decimal.createUnsafe(cut.unscaledValue().longValue(), precision, scale)
                : Decimal.apply(cut, precision, scale);
    }

    @Override
    void print(SpecializedGetters values, int position, Layout layout, Utf8Buffer out) {
        BigDecimal number = values.getDecimal(position, precision, scale).toJavaBigDecimal();
        boolean marked = quoted && layout.isJson();
        if (marked) {
            out.add('"');
        }
        out.add(trailingZeros ? number.toPlainString() : shortest(number));
        if (marked) {
            out.add('"');
        }
    }

    private static String shortest(BigDecimal number) {
        return number.unscaledValue().equals(BigInteger.ZERO) ? "0"
                : number.stripTrailingZeros().toPlainString();
    }
}
