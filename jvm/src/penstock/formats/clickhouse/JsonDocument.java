package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.Utf8Buffer;

/**
 * A JSON document as ClickHouse's JSON functions see it: strictly valid or not one at all, keys in
 * their order, also those that are there twice. An element is the place of its first byte.
 */
final class JsonDocument {
    /** What an element is; a whole number that no integer holds is a string. */
    enum Kind {
        NULL("Null"), BOOL("Bool"), INT64("Int64"), UINT64("UInt64"), DOUBLE("Double"),
        STRING("String"), ARRAY("Array"), OBJECT("Object");

        final UTF8String label;

        Kind(String label) {
            this.label = UTF8String.fromString(label);
        }
    }

    /** No such element. */
    static final int NONE = -1;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final int SURE_LONG_DIGITS = 18;
    private static final int MOST_LONG_DIGITS = 20;

    // Several functions of one query ask the same document.
    private static final ThreadLocal<JsonDocument> LAST = new ThreadLocal<>();

    final byte[] bytes;
    private final UTF8String text;
    private final int root;

    private JsonDocument(UTF8String text) {
        this.text = text;
        this.bytes = text.getBytes();
        boolean marked = bytes.length >= BYTE_ORDER_MARK.length
                && Arrays.equals(bytes, 0, 3, BYTE_ORDER_MARK, 0, 3);
        int start = marked ? BYTE_ORDER_MARK.length : 0;
        this.root = JsonCheck.isValid(bytes, start) ? afterBlanks(bytes, start) : NONE;
    }

    /** The document of a text. */
    static JsonDocument of(UTF8String text) {
        JsonDocument last = LAST.get();
        if (last == null || !last.text.equals(text)) {
            last = new JsonDocument(text.copy());
            LAST.set(last);
        }
        return last;
    }

    /** The whole of it, {@link #NONE} if it is not valid. */
    int root() {
        return root;
    }

    static int afterBlanks(byte[] bytes, int from) {
        int at = from;
        while (at < bytes.length
                && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\t' || bytes[at] == '\r')) {
            at++;
        }
        return at;
    }

    static double real(byte[] bytes, int from, int to) {
        return Double.parseDouble(ascii(bytes, from, to));
    }

    private static String ascii(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
    }

    Kind kind(int at) {
        return switch (bytes[at]) {
            case '{' -> Kind.OBJECT;
            case '[' -> Kind.ARRAY;
            case '"' -> Kind.STRING;
            case 't', 'f' -> Kind.BOOL;
            case 'n' -> Kind.NULL;
            default -> numberKind(at, end(at));
        };
    }

    private Kind numberKind(int at, int end) {
        for (int i = at; i < end; i++) {
            if (bytes[i] == '.' || (bytes[i] | 0x20) == 'e') {
                return Kind.DOUBLE;
            }
        }
        boolean negative = bytes[at] == '-';
        int count = end - at - (negative ? 1 : 0);
        if (count <= SURE_LONG_DIGITS) {
            return Kind.INT64;
        }
        if (count > MOST_LONG_DIGITS) {
            return Kind.STRING;
        }
        String digits = ascii(bytes, at, end);
        try {
            Long.parseLong(digits);
            return Kind.INT64;
        } catch (NumberFormatException e) {
            return negative || !isUnsigned(digits) ? Kind.STRING : Kind.UINT64;
        }
    }

    private static boolean isUnsigned(String digits) {
        try {
            Long.parseUnsignedLong(digits);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    boolean bool(int at) {
        return bytes[at] == 't';
    }

    /** The bits of an INT64 or UINT64. */
    long bits(int at) {
        String digits = ascii(bytes, at, end(at));
        return bytes[at] == '-' ? Long.parseLong(digits) : Long.parseUnsignedLong(digits);
    }

    double real(int at) {
        return real(bytes, at, end(at));
    }

    /** The text of a string, without its escapes. */
    UTF8String text(int at) {
        return bytes[at] == '"' ? JsonTexts.string(new Input(bytes, at, bytes.length))
                : UTF8String.fromBytes(bytes, at, end(at) - at);
    }

    /** The first member of an array, the first key of an object. */
    int first(int container) {
        int at = afterBlanks(bytes, container + 1);
        return bytes[at] == ']' || bytes[at] == '}' ? NONE : at;
    }

    /** What stands behind a member of an array, or behind the value of an object. */
    int next(int member) {
        int at = afterBlanks(bytes, end(member));
        return bytes[at] == ',' ? afterBlanks(bytes, at + 1) : NONE;
    }

    /** The value of a key of an object. */
    int value(int key) {
        return afterBlanks(bytes, afterBlanks(bytes, end(key)) + 1);
    }

    /** How many members or keys there are. */
    int count(int container) {
        boolean isObject = bytes[container] == '{';
        int count = 0;
        for (int at = first(container); at != NONE; at = next(isObject ? value(at) : at)) {
            count++;
        }
        return count;
    }

    /** The first key of this name. */
    int find(int object, UTF8String name) {
        if (bytes[object] != '{') {
            return NONE;
        }
        for (int key = first(object); key != NONE; key = next(value(key))) {
            if (text(key).equals(name)) {
                return key;
            }
        }
        return NONE;
    }

    /** A member of an array or a key of an object, counted from 1, or from the end below 0. */
    int nth(int container, int place) {
        boolean isObject = bytes[container] == '{';
        if (!isObject && bytes[container] != '[') {
            return NONE;
        }
        int left = place > 0 ? place - 1 : place < 0 ? count(container) + place : NONE;
        int at = left < 0 ? NONE : first(container);
        for (; at != NONE && left > 0; left--) {
            at = next(isObject ? value(at) : at);
        }
        return at;
    }

    /** The place behind a value. */
    int end(int start) {
        byte first = bytes[start];
        if (first == '"') {
            return endOfString(start);
        }
        int at = start;
        if (first != '{' && first != '[') {
            while (at < bytes.length && !endsScalar(bytes[at])) {
                at++;
            }
            return at;
        }
        for (int depth = 0; depth > 0 || at == start;) {
            byte next = bytes[at];
            if (next == '"') {
                at = endOfString(at);
                continue;
            }
            depth += next == '{' || next == '[' ? 1 : next == '}' || next == ']' ? -1 : 0;
            at++;
        }
        return at;
    }

    private static boolean endsScalar(byte next) {
        return next == ',' || next == ']' || next == '}' || next == ' ' || next == '\n'
                || next == '\t' || next == '\r';
    }

    private int endOfString(int start) {
        int at = start + 1;
        while (bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    /** The element as ClickHouse writes it: without blanks, numbers in its own way. */
    UTF8String raw(int at) {
        Utf8Buffer out = Utf8Buffer.apart();
        write(at, out);
        return UTF8String.fromBytes(out.finish());
    }

    private void write(int at, Utf8Buffer out) {
        switch (kind(at)) {
            case ARRAY, OBJECT -> writeAll(at, out);
            case STRING -> {
                byte[] plain = text(at).getBytes();
                JsonTexts.quote(plain, 0, plain.length, out);
            }
            case INT64 -> out.add(bits(at));
            case DOUBLE -> out.add(FloatTexts.of(real(at)));
            default -> out.add(bytes, at, end(at) - at);
        }
    }

    private void writeAll(int container, Utf8Buffer out) {
        boolean isObject = bytes[container] == '{';
        out.add(isObject ? '{' : '[');
        int value = NONE;
        for (int at = first(container); at != NONE; at = next(value)) {
            if (value != NONE) {
                out.add(',');
            }
            value = isObject ? value(at) : at;
            if (isObject) {
                write(at, out);
                out.add(':');
            }
            write(value, out);
        }
        out.add(isObject ? '}' : ']');
    }
}
