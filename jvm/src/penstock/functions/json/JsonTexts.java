package penstock.functions.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions of JSON texts that take no path; no argument is null. */
public final class JsonTexts {
    // JSON escapes other than \\u, and what they stand for
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private JsonTexts() {}

    /** IS JSON [VALUE | SCALAR | ARRAY | OBJECT]. */
    public static boolean isJson(UTF8String text, UTF8String kind) {
        JsonText document = JsonText.of(text);
        boolean object = document.value() instanceof Map;
        boolean array = document.value() instanceof List;
        if (document.error() != null) {
            return false;
        }
        switch (kind.toString()) {
            case "OBJECT":
                return object;
            case "ARRAY":
                return array;
            case "SCALAR":
                return !object && !array;
            default:
                return true;
        }
    }

    /** JSON(text): the same document with sorted keys and no blanks, null for a blank text. */
    public static UTF8String normalized(UTF8String text) {
        String trimmed = text.toString().trim();
        if (trimmed.isEmpty()) {
            return null;
        }
        try {
            return UTF8String.fromString(JsonText.write(JsonText.parse(trimmed)));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Invalid JSON string in JSON(value) function: \""
                    + text + "\". Error: " + e.getMessage(), e);
        }
    }

    /** JSON_QUOTE: everything but ASCII is escaped, unit by unit. */
    public static UTF8String quote(UTF8String text) {
        String plain = text.toString();
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < plain.length(); i++) {
            int code = plain.codePointAt(i);
            int escape = ESCAPED.indexOf(code);
            if (escape >= 0) {
                quoted.append('\\').append(ESCAPES.charAt(escape));
            } else if (code < 128) {
                quoted.append((char) code);
            } else {
                quoted.append(String.format("\\u%04x", code));
            }
        }
        return UTF8String.fromString(quoted.append('"').toString());
    }

    /** JSON_UNQUOTE: the content of a JSON string; any other text as it is. */
    public static UTF8String unquote(UTF8String text) {
        String quoted = text.toString();
        if (JsonText.of(text).error() != null || !quoted.startsWith("\"")
                || !quoted.endsWith("\"")) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        int last = quoted.length() - 1;
        for (int i = 1; i < last; i++) {
            char c = quoted.charAt(i);
            if (c != '\\' || i + 1 == last) {
                plain.append(c);
                continue;
            }
            char escape = quoted.charAt(++i);
            int known = ESCAPES.indexOf(escape);
            if (known >= 0) {
                plain.append(ESCAPED.charAt(known));
            } else if (escape == 'u' && i + 4 < last && isHex(quoted, i + 1)) {
                plain.append((char) Integer.parseInt(quoted.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                return text;
            }
        }
        return UTF8String.fromString(plain.toString());
    }

    private static boolean isHex(String text, int start) {
        return text.substring(start, start + 4).chars().allMatch(c -> Character.digit(c, 16) >= 0);
    }
}
