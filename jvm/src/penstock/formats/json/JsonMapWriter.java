package penstock.formats.json;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.Utf8Buffer;

/** Writes a map with string keys as a JSON object. */
final class JsonMapWriter implements JsonWriter {
    private final JsonWriter value;
    private final String nullKeyMode;
    private final byte[] nullKey;

    JsonMapWriter(JsonWriter value, CodecOptions options) {
        this.value = value;
        this.nullKeyMode = options.text("map-null-key.mode", "FAIL").toUpperCase(Locale.ROOT);
        this.nullKey = JsonStrings.quoted(options.text("map-null-key.literal", "null"))
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void write(SpecializedGetters values, int position, Utf8Buffer out) {
        MapData map = values.getMap(position);
        ArrayData keys = map.keyArray();
        ArrayData entries = map.valueArray();
        char before = '{';
        for (int i = 0; i < map.numElements(); i++) {
            if (keys.isNullAt(i) && nullKeyMode.equals("DROP")) {
                continue;
            }
            out.add(before);
            writeKey(keys, i, out);
            out.add(':');
            value.writeNullable(entries, i, out);
            before = ',';
        }
        if (before == '{') {
            out.add('{');
        }
        out.add('}');
    }

    private void writeKey(ArrayData keys, int position, Utf8Buffer out) {
        if (!keys.isNullAt(position)) {
            JsonStrings.write(keys.getUTF8String(position), out);
        } else if (nullKeyMode.equals("LITERAL")) {
            out.add(nullKey);
        } else {
            throw new FieldException("JSON format doesn't support to serialize map data with null"
                    + " keys. You can drop null key entries or encode null in literals by"
                    + " specifying map-null-key.mode option.");
        }
    }
}
