package penstock.formats;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * How errors are worded for the Python side: a tag, then {@code name=value} pairs, on one line. Only
 * the last two values may hold blanks.
 */
final class ErrorText {
    private static final int MAX_EXCERPT_BYTES = 100;
    private static final String NOTHING = "-";

    private ErrorText() {}

    /** A value without blanks; {@code -} if there is none. */
    static String word(Object value) {
        if (value == null || value.toString().isEmpty()) {
            return NOTHING;
        }
        return line(value.toString()).replace(" ", "\\u0020");
    }

    /** A text with its control characters escaped. */
    static String line(String text) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            line.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : c);
        }
        return line.toString();
    }

    /** The first bytes of a message as text; as hexadecimal escapes where they are no UTF-8. */
    static String excerpt(byte[] message) {
        int length = Math.min(message.length, MAX_EXCERPT_BYTES);
        while (length < message.length && length > 0 && (message[length] & 0xC0) == 0x80) {
            length--;
        }
        String rest = length < message.length ? "…" : "";
        try {
            ByteBuffer head = ByteBuffer.wrap(message, 0, length);
            return line(StandardCharsets.UTF_8.newDecoder().decode(head).toString()) + rest;
        } catch (CharacterCodingException e) {
            return hexadecimal(message, length) + rest;
        }
    }

    private static String hexadecimal(byte[] message, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            int b = message[i] & 0xFF;
            text.append(b >= 0x20 && b < 0x7F ? String.valueOf((char) b)
                    : String.format("\\x%02x", b));
        }
        return text.toString();
    }
}
