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
    // What a backslash before them leaves as they are, without the backslash; and control characters.
    private static final String THEMSELVES = "\\'\"/`=";

    private Backslashes() {}

    /** Says where a text ends. */
    interface End {
        /** Whether the byte at a place is no longer of the text. */
        boolean isAt(Input in, int place);

        /** Whether the input stands at two such bytes that mean one of the text. */
        default boolean isDoubled(Input in) {
            return false;
        }
    }

    /** The text up to its end, or that of the input, without its escapes. */
    static UTF8String read(Input in, End end) {
        int start = in.at;
        skipPlain(in, end);
        if (in.peek() != '\\' && !end.isDoubled(in)) {
            return UTF8String.fromBytes(in.bytes, start, in.at - start);
        }
        Utf8Buffer text = Utf8Buffer.start();
        text.add(in.bytes, start, in.at - start);
        while (in.peek() == '\\' || end.isDoubled(in)) {
            if (in.accept('\\')) {
                escape(in, text);
            } else {
                text.add(in.bytes, in.at, 1);
                in.at += 2;
            }
            start = in.at;
            skipPlain(in, end);
            text.add(in.bytes, start, in.at - start);
        }
        return UTF8String.fromBytes(text.finish());
    }

    private static void skipPlain(Input in, End end) {
        int i = in.at;
        while (i < in.end && in.bytes[i] != '\\' && !end.isAt(in, i)) {
            i++;
        }
        in.at = i;
    }

    private static void escape(Input in, Utf8Buffer text) {
        if (in.atEnd()) {
            throw new FieldException("Cannot parse escape sequence");
        }
        byte next = in.bytes[in.at++];
        if (next == 'x' && in.end - in.at >= 2) {
            text.add((char) (Character.digit(in.bytes[in.at], 16) * 16
                    + Character.digit(in.bytes[in.at + 1], 16)));
            in.at += 2;
        } else if (next != 'N') {
            int known = LETTERS.indexOf(next);
            boolean isControl = next >= 0 && next < ' ';
            if (known < 0 && !isControl && THEMSELVES.indexOf(next) < 0) {
                text.add('\\');
            }
            text.add(known < 0 ? (char) next : MEANT.charAt(known));
        }
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
