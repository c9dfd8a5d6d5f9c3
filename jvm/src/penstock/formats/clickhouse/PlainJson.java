package penstock.formats.clickhouse;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;

/**
 * ClickHouse's {@code simpleJSON…} functions: what stands behind the first {@code "name":} of a
 * text, which is not parsed beyond that.
 */
public final class PlainJson {
    private static final int NONE = -1;

    private PlainJson() {}

    /** simpleJSONHas. */
    public static boolean has(UTF8String text, UTF8String name) {
        return find(text.getBytes(), name) != NONE;
    }

    /** simpleJSONExtractBool. */
    public static boolean bool(UTF8String text, UTF8String name) {
        Input in = found(text, name);
        return in != null && in.startsWith("true".getBytes(StandardCharsets.US_ASCII));
    }

    /** simpleJSONExtractInt: a number that is too large is 0. */
    public static long signed(UTF8String text, UTF8String name) {
        BigInteger number = whole(found(text, name), true);
        return number.bitLength() < Long.SIZE ? number.longValue() : 0;
    }

    /** simpleJSONExtractUInt, its bits. */
    public static long unsigned(UTF8String text, UTF8String name) {
        BigInteger number = whole(found(text, name), false);
        return number.bitLength() <= Long.SIZE ? number.longValue() : 0;
    }

    private static BigInteger whole(Input in, boolean signed) {
        if (in == null) {
            return BigInteger.ZERO;
        }
        in.accept('"');
        BigInteger number = JsonNumbers.digits(in, signed);
        return number == null ? BigInteger.ZERO : number;
    }

    /** simpleJSONExtractFloat. */
    public static double real(UTF8String text, UTF8String name) {
        Input in = found(text, name);
        if (in == null) {
            return 0;
        }
        in.accept('"');
        int start = in.at;
        boolean signed = in.peek() == '-' || in.peek() == '+';
        int word = start + (signed ? 1 : 0);
        for (int length : new int[] {8, 3}) {
            int end = Math.min(in.end, word + length);
            String number = JsonNumbers.realIn(
                    UTF8String.fromBytes(in.bytes, start, end - start));
            if (number != null && Input.isLetter(in.bytes[word])) {
                return Double.parseDouble(number);
            }
        }
        int end = FloatValue.endOfNumber(in);
        String number = JsonNumbers.realIn(UTF8String.fromBytes(in.bytes, start, end - start));
        if (number == null) {
            return in.peek() == '-' ? -0.0 : 0;
        }
        return Double.parseDouble(number);
    }

    /** simpleJSONExtractString: nothing if it is no string. */
    public static UTF8String string(UTF8String text, UTF8String name) {
        Input in = found(text, name);
        try {
            return in == null ? UTF8String.EMPTY_UTF8 : JsonTexts.string(in);
        } catch (FieldException e) {
            return UTF8String.EMPTY_UTF8;
        }
    }

    /** simpleJSONExtractRaw: up to the comma or the bracket that ends the value. */
    public static UTF8String raw(UTF8String text, UTF8String name) {
        Input in = found(text, name);
        if (in == null) {
            return UTF8String.EMPTY_UTF8;
        }
        int start = in.at;
        StringBuilder open = new StringBuilder();
        for (; !in.atEnd(); in.at++) {
            int next = in.peek();
            char awaited = open.isEmpty() ? 0 : open.charAt(open.length() - 1);
            if (awaited != 0 && next == awaited) {
                open.setLength(open.length() - 1);
            } else if (awaited == '"') {
                // Of all escapes only this one is seen, also behind a backslash that is one.
                in.at += next == '\\' && in.at + 1 < in.end && in.bytes[in.at + 1] == '"' ? 1 : 0;
            } else if (next == '[' || next == '{' || next == '"') {
                open.append(next == '[' ? ']' : next == '{' ? '}' : '"');
            } else if (awaited == 0 && (next == ',' || next == '}')) {
                return UTF8String.fromBytes(in.bytes, start, in.at - start);
            }
        }
        return UTF8String.EMPTY_UTF8;
    }

    private static Input found(UTF8String text, UTF8String name) {
        byte[] bytes = text.getBytes();
        int at = find(bytes, name);
        return at == NONE ? null : new Input(bytes, at, bytes.length);
    }

    /** The place behind {@code "name":}. */
    private static int find(byte[] bytes, UTF8String name) {
        byte[] key = name.getBytes();
        int length = key.length + 3;
        for (int at = 0; at + length <= bytes.length; at++) {
            if (bytes[at] == '"' && bytes[at + length - 2] == '"' && bytes[at + length - 1] == ':'
                    && matches(bytes, at + 1, key)) {
                return at + length;
            }
        }
        return NONE;
    }

    private static boolean matches(byte[] bytes, int from, byte[] key) {
        return Arrays.equals(bytes, from, from + key.length, key, 0, key.length);
    }
}
