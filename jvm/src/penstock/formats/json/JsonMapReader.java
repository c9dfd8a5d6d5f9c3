package penstock.formats.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;

/** Reads a JSON object as a map with string keys; the last of two equal keys counts. */
final class JsonMapReader extends JsonContainer {
    private final JsonReader value;

    JsonMapReader(JsonReader value, boolean ignoreParseErrors) {
        super(JsonToken.START_OBJECT, ignoreParseErrors);
        this.value = value;
    }

    @Override
    public MapData read(JsonParser parser) throws IOException {
        expectStart(parser);
        Map<UTF8String, Object> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            UTF8String key = UTF8String.fromString(parser.currentName());
            parser.nextToken();
            entries.put(key, value(value, parser));
        }
        return new ArrayBasedMapData(
                new GenericArrayData(entries.keySet().toArray()),
                new GenericArrayData(entries.values().toArray()));
    }
}
