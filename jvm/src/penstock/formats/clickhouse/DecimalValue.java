package penstock.formats.clickhouse;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.Decimal;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Decimal(P, S): digits behind the scale are cut off, too many before it are an error. */
final class DecimalValue extends Value {
    private static final int LONG_DIGITS = 18;
    private static final int MAX_EXPONENT_LENGTH = 18;

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
        boolean negative = in.accept('-');
        if (!negative) {
            in.accept('+');
        }
        Significant digits = new Significant(precision);
        digits.read(in);
        return fit(digits, negative, exponent(in) - digits.behindPoint);
    }

    /** The digits of a number, no more than a type has: others behind the point are cut off. */
    private static final class Significant {
        private final byte[] kept;
        private int count;
        private int behindPoint;

        Significant(int most) {
            this.kept = new byte[most];
        }

        void read(Input in) {
            boolean point = false;
            int zeros = 0;
            for (; in.at < in.end; in.at++) {
                byte next = in.bytes[in.at];
                if (next == '.') {
                    point = true;
                } else if (!Input.isDigit(next)) {
                    break;
                } else if (!point) {
                    keepWhole(next);
                } else if (next == '0') {
                    zeros++;
                } else if (zeros < kept.length - count) {
                    Arrays.fill(kept, count, count + zeros, (byte) '0');
                    count += zeros;
                    kept[count++] = next;
                    behindPoint += zeros + 1;
                    zeros = 0;
                }
            }
        }

        private void keepWhole(byte digit) {
            if (count == kept.length) {
                throw new FieldException("Too many digits (" + (count + 1) + " > " + count
                        + ") in decimal value");
            }
            if (count > 0 || digit != '0') {
                kept[count++] = digit;
            }
        }

        BigDecimal times(long powerOfTen) {
            if (count > LONG_DIGITS) {
                return new BigDecimal(new BigInteger(toString()), (int) -powerOfTen);
            }
            long unscaled = 0;
            for (int i = 0; i < count; i++) {
                unscaled = unscaled * 10 + kept[i] - '0';
            }
            return BigDecimal.valueOf(unscaled, (int) -powerOfTen);
        }

        @Override
        public String toString() {
            return count == 0 ? "0" : new String(kept, 0, count, StandardCharsets.US_ASCII);
        }
    }

    private static long exponent(Input in) {
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
        int start = in.at;
        long exponent = IntegerValue.digits(in, true, true);
        if (in.at - start > MAX_EXPONENT_LENGTH || exponent != (int) exponent) {
            throw new FieldException("Cannot parse exponent while reading decimal");
        }
        return exponent;
    }

    private Decimal fit(Significant digits, boolean negative, long exponent) {
        long wholeDigits = digits.count + exponent;
        if (wholeDigits > precision - scale) {
            throw new FieldException("Decimal value is too big: " + digits.count
                    + " digits were read: '" + digits + "'e" + exponent
                    + ". Expected to read decimal with scale " + scale + " and precision "
                    + precision);
        }
        BigDecimal number = digits.count == 0 || wholeDigits < -scale ? BigDecimal.ZERO
                : digits.times(exponent);
        BigDecimal cut = (negative ? number.negate() : number).setScale(scale, RoundingMode.DOWN);
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
