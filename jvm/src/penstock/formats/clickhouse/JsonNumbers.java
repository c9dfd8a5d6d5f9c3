package penstock.formats.clickhouse;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.spark.unsafe.types.UTF8String;

/** Numbers and texts as whole numbers of so many bits; null for what does not fit. */
final class JsonNumbers {
    private static final double LONG_LIMIT = 0x1p63;

    private JsonNumbers() {}

    static Long ofLong(long number, int bits, boolean signed) {
        if (bits == Long.SIZE) {
            return signed || number >= 0 ? (Long) number : null;
        }
        long high = (1L << (signed ? bits - 1 : bits)) - 1;
        long low = signed ? -high - 1 : 0;
        return number >= low && number <= high ? (Long) number : null;
    }

    /** What is behind the point is cut off; a NaN is what the processor makes of it. */
    static Long ofDouble(double number, int bits, boolean signed) {
        if (Double.isNaN(number)) {
            boolean isInt = bits == Integer.SIZE && signed;
            return isInt ? Integer.MIN_VALUE : Long.MIN_VALUE;
        }
        double limit = Math.scalb(1.0, signed ? bits - 1 : bits);
        boolean fits = bits == Long.SIZE ? number < limit : number <= limit - 1;
        if (!fits || number < (signed ? -limit : 0)) {
            return null;
        }
        return number < LONG_LIMIT ? (long) number : (long) (number - LONG_LIMIT) + Long.MIN_VALUE;
    }

    static Long ofText(UTF8String text, int bits, boolean signed) {
        Long whole = wholeIn(text, bits, signed);
        String real = whole == null ? realIn(text) : null;
        return real == null ? whole : ofDouble(Double.parseDouble(real), bits, signed);
    }

    private static Long wholeIn(UTF8String text, int bits, boolean signed) {
        Input in = new Input(text.getBytes());
        BigInteger number = digits(in, signed);
        if (number == null || !in.atEnd()) {
            return null;
        }
        boolean fits = signed ? number.bitLength() < bits : number.bitLength() <= bits;
        return fits ? (Long) number.longValue() : null;
    }

    /** Digits, with a sign before them, no minus where there is none; null if there are no digits. */
    static BigInteger digits(Input in, boolean signed) {
        boolean negative = signed && in.accept('-');
        if (!negative) {
            in.accept('+');
        }
        int start = in.at;
        while (Input.isDigit(in.peek())) {
            in.at++;
        }
        if (in.at == start) {
            return null;
        }
        BigInteger number = new BigInteger(in.textFrom(start));
        return negative ? number.negate() : number;
    }

    /** A text that is a Float as ClickHouse reads one, in Java's form; null if it is none. */
    static String realIn(UTF8String text) {
        Input in = new Input(text.getBytes());
        boolean hasDigit = false;
        for (byte b : in.bytes) {
            hasDigit |= Input.isDigit(b);
        }
        if (hasDigit && FloatValue.endOfNumber(in) == in.end) {
            String shown = new String(in.bytes, StandardCharsets.US_ASCII);
            int exponent = shown.toLowerCase(Locale.ROOT).indexOf('e');
            String mantissa = exponent < 0 ? shown : shown.substring(0, exponent);
            return mantissa.chars().anyMatch(Input::isDigit) ? shown : null;
        }
        boolean negative = in.accept('-');
        if (!negative) {
            in.accept('+');
        }
        String sign = negative ? "-" : "";
        int left = in.end - in.at;
        if (left == 3 && in.startsWithAnyCase("nan")) {
            return "NaN";
        }
        boolean isInfinite = left == 3 && in.startsWithAnyCase("inf")
                || left == 8 && in.startsWithAnyCase("infinity");
        return isInfinite ? sign + "Infinity" : null;
    }
}
