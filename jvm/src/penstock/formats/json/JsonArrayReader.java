package penstock.formats.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;

/** Reads a JSON array. */
final class JsonArrayReader extends JsonContainer {
    private final JsonReader element;

    JsonArrayReader(JsonReader element, boolean ignoreParseErrors) {
        super(JsonToken.START_ARRAY, ignoreParseErrors);
        this.element = element;
    }

    @Override
    public ArrayData read(JsonParser parser) throws IOException {
        expectStart(parser);
        List<Object> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(value(element, parser));
        }
        return new GenericArrayData(values.toArray());
    }
}
