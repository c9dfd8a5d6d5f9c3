package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** JSON as ClickHouse reads and writes it: control characters may stand in strings as they are. */
public final class JsonTexts {
    private static final String PLAIN_ESCAPES = "bfnrt";
    private static final String ESCAPED = "\b\f\n\r\t";
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    // The ends of a line and of a paragraph, U+2028 and U+2029, are three bytes that begin so.
    private static final byte[] SEPARATOR = {(byte) 0xE2, (byte) 0x80};
    private static final byte PARAGRAPH = (byte) 0xA9;

    private static final int MAX_DEPTH = 1000;

    private JsonTexts() {}

    /** A string in quotes: copied whole if it has no escape. */
    static UTF8String string(Input in) {
        if (!in.accept('"')) {
            throw new FieldException("Cannot parse JSON string: expected opening quote");
        }
        byte[] bytes = in.bytes;
        int start = in.at;
        in.at = in.until('"', '\\').end;
        if (in.peek() == '"') {
            in.at++;
            return UTF8String.fromBytes(bytes, start, in.at - 1 - start);
        }
        Utf8Buffer text = Utf8Buffer.start();
        while (in.peek() != '"') {
            text.add(bytes, start, in.at - start);
            if (in.atEnd()) {
                throw new FieldException("Cannot parse JSON string: expected closing quote");
            }
            in.at++;
            escape(in, text);
            start = in.at;
            in.at = in.until('"', '\\').end;
        }
        text.add(bytes, start, in.at - start);
        in.at++;
        return UTF8String.fromBytes(text.finish());
    }

    private static void escape(Input in, Utf8Buffer text) {
        int next = in.peek();
        if (next < 0) {
            throw new FieldException("Cannot parse escape sequence");
        }
        in.at++;
        if (next == 'u') {
            text.add(Character.toString(codePoint(in)).getBytes(StandardCharsets.UTF_8));
            return;
        }
        int known = PLAIN_ESCAPES.indexOf(next);
        text.add((char) (known < 0 ? next : ESCAPED.charAt(known)));
    }

    private static int codePoint(Input in) {
        int unit = unit(in);
        if (!Character.isHighSurrogate((char) unit)) {
            return unit;
        }
        if (in.end - in.at < 6 || in.bytes[in.at] != '\\' || in.bytes[in.at + 1] != 'u') {
            throw new FieldException("Cannot parse escape sequence: missing second part of"
                    + " surrogate pair");
        }
        in.at += 2;
        int low = unit(in);
        if (!Character.isLowSurrogate((char) low)) {
            throw new FieldException("Incorrect surrogate pair of unicode escape sequences in"
                    + " JSON");
        }
        return Character.toCodePoint((char) unit, (char) low);
    }

    private static int unit(Input in) {
        if (in.end - in.at < 4) {
            throw new FieldException("Cannot parse JSON string: expected closing quote");
        }
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(in.bytes[in.at + i], 16);
            if (digit < 0) {
                throw new FieldException("Cannot parse JSON string: expected closing quote");
            }
            unit = unit * 16 + digit;
        }
        in.at += 4;
        return unit;
    }

    /** Goes over any value. */
    static void skip(Input in) {
        skip(in, 0);
    }

    private static void skip(Input in, int depth) {
        if (depth > MAX_DEPTH) {
            throw new FieldException("JSON is too deep: more than " + MAX_DEPTH + " levels");
        }
        switch (in.peek()) {
            case '"' -> skipString(in);
            case '{' -> skipObject(in, depth);
            case '[' -> skipArray(in, depth);
            case 't' -> in.expect("true");
            case 'f' -> in.expect("false");
            case 'n' -> in.expect("null");
            case -1 -> throw Input.afterEnd();
            default -> skipNumber(in);
        }
    }

    private static void skipNumber(Input in) {
        int first = in.peek();
        int start = in.at;
        int end = FloatValue.endOfNumber(in);
        if (end == start || end == start + 1 && !Input.isDigit(first)) {
            throw new FieldException("Expected a number field for key ''");
        }
        in.at = end;
    }

    private static void skipString(Input in) {
        in.at++;
        for (int next = in.peek(); next != '"'; next = in.peek()) {
            if (next < 0) {
                throw new FieldException("Cannot parse JSON string: expected closing quote");
            }
            in.at += next == '\\' ? 2 : 1;
        }
        in.at++;
    }

    private static void skipArray(Input in, int depth) {
        in.at++;
        in.skipBlanks();
        while (!in.accept(']')) {
            skip(in, depth + 1);
            in.skipBlanks();
            if (in.peek() != ']') {
                in.expect(',');
                in.skipBlanks();
            }
        }
    }

    private static void skipObject(Input in, int depth) {
        in.at++;
        in.skipBlanks();
        while (!in.accept('}')) {
            string(in);
            in.expectAmongBlanks(':');
            skip(in, depth + 1);
            in.skipBlanks();
            if (in.peek() != '}') {
                in.expect(',');
                in.skipBlanks();
            }
        }
    }

    /** Escapes what was written since {@code start}. */
    static void escape(Utf8Buffer out, int start, boolean slashes) {
        byte[] bytes = out.reserve(0);
        int size = out.size();
        for (int i = start; i < size; i++) {
            if (needsEscape(bytes, i, size, slashes)) {
                byte[] rest = Arrays.copyOfRange(bytes, i, size);
                out.endAt(i);
                add(rest, 0, rest.length, slashes, out);
                return;
            }
        }
    }

    /** Writes a part of an array as a string in quotes; slashes stay as they are. */
    public static void quote(byte[] bytes, int from, int to, Utf8Buffer out) {
        out.add('"');
        add(bytes, from, to, false, out);
        out.add('"');
    }

    private static void add(byte[] bytes, int from, int to, boolean slashes, Utf8Buffer out) {
        int start = from;
        for (int i = from; i < to; i++) {
            if (needsEscape(bytes, i, to, slashes)) {
                out.add(bytes, start, i - start);
                boolean isSeparator = bytes[i] == SEPARATOR[0];
                if (isSeparator) {
                    out.add(bytes[i + 2] == PARAGRAPH ? "\\u2029" : "\\u2028");
                    i += 2;
                } else {
                    addEscaped(bytes[i], out);
                }
                start = i + 1;
            }
        }
        out.add(bytes, start, to - start);
    }

    private static boolean needsEscape(byte[] bytes, int at, int end, boolean slashes) {
        byte b = bytes[at];
        return b >= 0 && b < 0x20 || b == '"' || b == '\\' || slashes && b == '/'
                || b == SEPARATOR[0] && at + 2 < end && bytes[at + 1] == SEPARATOR[1]
                        && (bytes[at + 2] | 1) == PARAGRAPH;
    }

    private static void addEscaped(byte b, Utf8Buffer out) {
        out.add('\\');
        int known = ESCAPED.indexOf(b);
        if (known >= 0) {
            out.add(PLAIN_ESCAPES.charAt(known));
        } else if (b < 0x20) {
            out.add("u00");
            out.add((char) HEX[b >> 4]);
            out.add((char) HEX[b & 0xF]);
        } else {
            out.add((char) b);
        }
    }
}
