package penstock.formats.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.Utf8Buffer;

/** JSON strings with Jackson's escapes. */
final class JsonStrings {
    private static final boolean[] PLAIN = plain();

    private JsonStrings() {}

    private static boolean[] plain() {
        boolean[] table = new boolean[256];
        for (int b = 0x20; b < table.length; b++) {
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
                out.add(JsonStringEncoder.getInstance().quoteAsUTF8(text.toString()));
                break;
            }
        }
        out.add('"');
    }

    /** A text in quotes. */
    static String quoted(String text) {
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }
}
