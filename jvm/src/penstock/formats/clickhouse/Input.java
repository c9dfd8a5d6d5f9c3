package penstock.formats.clickhouse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import penstock.formats.FieldException;

/** The bytes of a message and a place in them, with ClickHouse's words for what is not there. */
final class Input {
    private static final int SHOWN_BYTES = 160;

    final byte[] bytes;
    final int end;
    int at;

    Input(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    Input(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    boolean atEnd() {
        return at >= end;
    }

    /** The next byte, negative at the end. */
    int peek() {
        return at < end ? bytes[at] & 0xFF : -1;
    }

    boolean accept(char ascii) {
        if (peek() == ascii) {
            at++;
            return true;
        }
        return false;
    }

    void expect(char ascii) {
        if (!accept(ascii)) {
            throw expected(String.valueOf(ascii));
        }
    }

    /** Goes over a word; what is shown begins where it differs. */
    void expect(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (!accept(word.charAt(i))) {
                throw expected(word);
            }
        }
    }

    boolean startsWith(byte[] prefix) {
        return end - at >= prefix.length
                && Arrays.equals(bytes, at, at + prefix.length, prefix, 0, prefix.length);
    }

    boolean startsWithAnyCase(String word) {
        return end - at >= word.length() && word.equalsIgnoreCase(
                new String(bytes, at, word.length(), StandardCharsets.US_ASCII));
    }

    static boolean isBlank(int b) {
        return b == ' ' || b >= '\t' && b <= '\r';
    }

    static boolean isDigit(int b) {
        return b >= '0' && b <= '9';
    }

    static boolean isLetter(int b) {
        return (b | 0x20) >= 'a' && (b | 0x20) <= 'z';
    }

    void skipBlanks() {
        while (at < end && isBlank(bytes[at])) {
            at++;
        }
    }

    /** Goes over {@code separator} and the blanks around it. */
    void expectAmongBlanks(char separator) {
        skipBlanks();
        expect(separator);
        skipBlanks();
    }

    /** Goes to the next line, or to the end; with escapes, a line's end behind a backslash is none. */
    void skipLine(boolean escapes) {
        while (at < end) {
            byte next = bytes[at++];
            if (next == '\n') {
                return;
            }
            if (escapes && next == '\\') {
                at++;
            }
        }
    }

    /** What stands from here up to the first of two bytes, or to the end. */
    Input until(int first, int second) {
        int stop = at;
        while (stop < end && bytes[stop] != first && bytes[stop] != second) {
            stop++;
        }
        return new Input(bytes, at, stop);
    }

    /** The bytes from a place up to this one, as text. */
    String textFrom(int start) {
        return new String(bytes, start, at - start, StandardCharsets.UTF_8);
    }

    /** The bytes from here on, as text. */
    String rest() {
        return atEnd() ? "" : new String(bytes, at, end - at, StandardCharsets.UTF_8);
    }

    FieldException expected(String what) {
        StringBuilder text = new StringBuilder("Cannot parse input: expected '")
                .append(escaped(what)).append('\'');
        if (atEnd()) {
            return new FieldException(text.append(" at end of stream").toString());
        }
        String shown = new String(
                bytes, at, Math.min(SHOWN_BYTES, end - at), StandardCharsets.UTF_8);
        return new FieldException(
                text.append(" before: '").append(escaped(shown)).append('\'').toString());
    }

    static FieldException afterEnd() {
        return new FieldException("Attempt to read after eof");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
                .replace("\t", "\\t").replace("\r", "\\r");
    }
}
