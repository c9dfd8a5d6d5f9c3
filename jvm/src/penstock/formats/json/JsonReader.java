package penstock.formats.json;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Reads one JSON value as a value of one SQL type. */
@FunctionalInterface
public interface JsonReader {
    /**
     * The value whose first token is the parser's current one, which is not {@code null}; leaves the
     * parser at the value's last token, or at its first if the value does not fit the type.
     */
    Object read(JsonParser parser) throws IOException;
}
