package penstock.formats.clickhouse;

import org.apache.spark.unsafe.types.UTF8String;

/** Whether bytes are JSON, as strictly as ClickHouse's JSON functions ask for. */
final class JsonCheck {
    // Of arrays and objects that hold something.
    private static final int MAX_DEPTH = 1023;
    private static final int LONGEST_FINITE = 300;
    private static final String ESCAPES = "\"\\/bfnrt";

    private final byte[] bytes;
    private int at;

    private JsonCheck(byte[] bytes, int start) {
        this.bytes = bytes;
        this.at = start;
    }

    /** Whether the bytes from {@code start} on are one value with blanks around it, in UTF-8. */
    static boolean isValid(byte[] bytes, int start) {
        JsonCheck check = new JsonCheck(bytes, start);
        return check.value(0) && check.at == bytes.length && UTF8String.fromBytes(bytes).isValid();
    }

    private int peek() {
        return at < bytes.length ? bytes[at] : -1;
    }

    private boolean accept(char ascii) {
        if (peek() == ascii) {
            at++;
            return true;
        }
        return false;
    }

    private void skipBlanks() {
        at = JsonDocument.afterBlanks(bytes, at);
    }

    /** A value and the blanks around it. */
    private boolean value(int depth) {
        skipBlanks();
        boolean good = switch (peek()) {
            case '"' -> string();
            case '{' -> object(depth + 1);
            case '[' -> array(depth + 1);
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
        skipBlanks();
        return good;
    }

    private boolean word(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (!accept(word.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean array(int depth) {
        at++;
        skipBlanks();
        if (accept(']')) {
            return true;
        }
        do {
            if (depth > MAX_DEPTH || !value(depth)) {
                return false;
            }
        } while (accept(','));
        return accept(']');
    }

    private boolean object(int depth) {
        at++;
        skipBlanks();
        if (accept('}')) {
            return true;
        }
        do {
            skipBlanks();
            if (depth > MAX_DEPTH || peek() != '"' || !string()) {
                return false;
            }
            skipBlanks();
            if (!accept(':') || !value(depth)) {
                return false;
            }
        } while (accept(','));
        return accept('}');
    }

    private boolean string() {
        at++;
        while (at < bytes.length) {
            byte next = bytes[at++];
            if (next == '"') {
                return true;
            }
            if (next >= 0 && next < ' ' || next == '\\' && !escape()) {
                return false;
            }
        }
        return false;
    }

    private boolean escape() {
        int next = peek();
        at++;
        if (next != 'u') {
            return next >= 0 && ESCAPES.indexOf(next) >= 0;
        }
        int unit = unit();
        if (unit < 0 || Character.isLowSurrogate((char) unit)) {
            return false;
        }
        if (!Character.isHighSurrogate((char) unit)) {
            return true;
        }
        return accept('\\') && accept('u') && Character.isLowSurrogate((char) unit());
    }

    /** Four hexadecimal digits, or -1, which is no surrogate. */
    private int unit() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = peek() < 0 ? -1 : Character.digit(peek(), 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit * 16 + digit;
            at++;
        }
        return unit;
    }

    private boolean number() {
        int start = at;
        accept('-');
        boolean isZero = accept('0');
        if (!isZero && !digits()) {
            return false;
        }
        boolean isWhole = true;
        if (accept('.')) {
            isWhole = false;
            if (!digits()) {
                return false;
            }
        }
        boolean hasExponent = (peek() | 0x20) == 'e';
        if (hasExponent) {
            at++;
            if (!accept('-')) {
                accept('+');
            }
            if (!digits()) {
                return false;
            }
        }
        return isWhole && !hasExponent || !hasExponent && at - start < LONGEST_FINITE
                || Double.isFinite(JsonDocument.real(bytes, start, at));
    }

    private boolean digits() {
        int start = at;
        while (Input.isDigit(peek())) {
            at++;
        }
        return at > start;
    }
}
