package penstock.formats.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.Utf8Buffer;

/** JSON strings with Jackson's escapes. */
final class JsonStrings {
    /** What the first byte of a character of four bytes begins at. */
    private static final int FOUR_BYTES = 0xF0;

    private static final boolean[] PLAIN = plain();

    private JsonStrings() {}

    private static boolean[] plain() {
        boolean[] table = new boolean[256];
        for (int b = 0x20; b < FOUR_BYTES; b++) {
            table[b] = b != '"' && b != '\\';
        }
        return table;
    }

    /** Writes a text in quotes: copied whole if no byte of it needs an escape. */
    static void write(UTF8String text, Utf8Buffer out) {
        out.add('"');
        int start = out.size();
        out.add(text);
        byte[] bytes = out.reserve(1);
        for (int i = start; i < out.size(); i++) {
            if (!PLAIN[bytes[i] & 0xFF]) {
                out.endAt(start);
                out.add(escaped(text.toString()).getBytes(StandardCharsets.UTF_8));
                break;
            }
        }
        out.add('"');
    }

    /** A text in quotes. */
    static String quoted(String text) {
        return '"' + escaped(text) + '"';
    }

    /** Jackson writes bytes with an escape for each half of a character of four of them. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char c : JsonStringEncoder.getInstance().quoteAsString(text)) {
            if (Character.isSurrogate(c)) {
                escaped.append("\\u").append(Integer.toHexString(c).toUpperCase(Locale.ROOT));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
