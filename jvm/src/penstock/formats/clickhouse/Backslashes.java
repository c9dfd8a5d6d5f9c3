package penstock.formats.clickhouse;

import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** The escapes of TabSeparated and of quoted strings. */
final class Backslashes {
    private static final String LETTERS = "abefnrtv0";
    private static final String MEANT = "\u0007\b\u001B\f\n\r\t\u000B\0";
    private static final String WRITTEN = "bfnrt0'\\";
    private static final String ESCAPED = "\b\f\n\r\t\0'\\";
    // What a backslash before them leaves as they are, without the backslash.
    private static final String THEMSELVES = "\\'\"/`=\n\t";

    private Backslashes() {}

    /** The text up to one of two bytes; of two quotes the first escapes the second. */
    static UTF8String read(Input in, char first, char second) {
        byte[] text = new byte[in.end - in.at];
        int size = 0;
        while (!in.atEnd()) {
            byte next = in.bytes[in.at];
            if (next == first || next == second) {
                boolean doubled = next == '\'' && in.at + 1 < in.end && in.bytes[in.at + 1] == '\'';
                if (!doubled) {
                    break;
                }
                in.at++;
            }
            in.at++;
            if (next == '\\') {
                size = escape(in, text, size);
            } else {
                text[size++] = next;
            }
        }
        return UTF8String.fromBytes(Arrays.copyOf(text, size));
    }

    private static int escape(Input in, byte[] text, int size) {
        if (in.atEnd()) {
            throw new FieldException("Cannot parse escape sequence");
        }
        byte next = in.bytes[in.at++];
        int known = LETTERS.indexOf(next);
        if (next == 'x' && in.end - in.at >= 2) {
            text[size] = (byte) (Character.digit(in.bytes[in.at], 16) * 16
                    + Character.digit(in.bytes[in.at + 1], 16));
            in.at += 2;
            return size + 1;
        }
        if (next == 'N') {
            return size;
        }
        if (known < 0 && THEMSELVES.indexOf(next) < 0) {
            text[size++] = '\\';
        }
        text[size] = known < 0 ? next : (byte) MEANT.charAt(known);
        return size + 1;
    }

    /** Escapes what was written since {@code start}. */
    static void escape(Utf8Buffer out, int start) {
        byte[] bytes = out.reserve(0);
        int size = out.size();
        for (int i = start; i < size; i++) {
            if (ESCAPED.indexOf(bytes[i]) >= 0) {
                byte[] rest = Arrays.copyOfRange(bytes, i, size);
                out.endAt(i);
                for (byte b : rest) {
                    int known = ESCAPED.indexOf(b);
                    if (known >= 0) {
                        out.add('\\');
                    }
                    out.add(known < 0 ? (char) b : WRITTEN.charAt(known));
                }
                return;
            }
        }
    }
}
