package penstock.formats.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import java.io.IOException;
import java.time.DateTimeException;
import penstock.formats.FieldException;

/** What rows, arrays and maps share: nulls, and values that do not fit, inside of them. */
abstract class JsonContainer implements JsonReader {
    private final JsonToken start;
    private final boolean ignoreParseErrors;

    JsonContainer(JsonToken start, boolean ignoreParseErrors) {
        this.start = start;
        this.ignoreParseErrors = ignoreParseErrors;
    }

    final void expectStart(JsonParser parser) throws IOException {
        if (parser.currentToken() != start) {
            String expected = start == JsonToken.START_ARRAY ? "array" : "object";
            throw new FieldException(
                    "expected a JSON " + expected + ", found " + parser.getText());
        }
    }

    /** The value at the parser's current token; null for one that does not fit, if so asked. */
    final Object value(JsonReader reader, JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        try {
            return reader.read(parser);
        } catch (InputCoercionException | IllegalArgumentException | DateTimeException
                | FieldException e) {
            if (!ignoreParseErrors) {
                throw FieldException.of(e);
            }
            parser.skipChildren();
            return null;
        }
    }
}
