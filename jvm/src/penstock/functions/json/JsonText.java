package penstock.functions.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * JSON text to Java's maps, lists, texts, numbers and booleans, and back with sorted keys.
 *
 * <p>Columns are read by several calls in a row, so each thread keeps the document it read last.
 */
final class JsonText {
    static final ObjectMapper MAPPER = new ObjectMapper()
            .configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true)
            .configure(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, true);

    private static final ObjectReader READER = MAPPER.readerFor(Object.class);
    private static final ThreadLocal<JsonText> LAST = new ThreadLocal<>();

    private final UTF8String text;
    private final Object value;
    private final Exception error;

    private JsonText(UTF8String text, Object value, Exception error) {
        this.text = text;
        this.value = value;
        this.error = error;
    }

    /** The document of a text, which may be in error. */
    static JsonText of(UTF8String text) {
        JsonText last = LAST.get();
        if (last == null || !last.text.equals(text)) {
            last = read(text.clone());
            LAST.set(last);
        }
        return last;
    }

    private static JsonText read(UTF8String text) {
        try {
            return new JsonText(text, parse(text.toString()), null);
        } catch (JsonProcessingException e) {
            return new JsonText(text, null, e);
        }
    }

    static Object parse(String text) throws JsonProcessingException {
        return READER.readValue(text);
    }

    static String write(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Why the text is not JSON, null if it is. */
    Exception error() {
        return error;
    }

    /** The document; null for JSON's null, too. */
    Object value() {
        return value;
    }
}
