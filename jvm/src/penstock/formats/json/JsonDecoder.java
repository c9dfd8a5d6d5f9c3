package penstock.formats.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadMessageException;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;

/** Reads messages of Flink's {@code json} format: an object is a row, an array holds rows. */
public final class JsonDecoder extends Decoder {
    private static final long serialVersionUID = 1L;

    // Interned names would pile up where the keys of a map are data.
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .build();

    private static final Pattern START_MARKER = Pattern.compile(" \\(start marker at .*?\\]\\)");

    private final transient JsonRowReader row;

    /** A decoder for the physical columns of a table. */
    public JsonDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        boolean hasDecimals = schema.existsRecursively(type -> type instanceof DecimalType);
        this.row = new JsonRowReader(schema, new JsonReaders(options, hasDecimals));
    }

    private Object readResolve() {
        return new JsonDecoder(schema, options);
    }

    @Override
    public ArrayData decode(byte[] message) {
        if (message.length == 0) {
            return null;
        }
        try (JsonParser parser = FACTORY.createParser(message)) {
            JsonToken first = parser.nextToken();
            return first == JsonToken.START_ARRAY ? rows(parser) : onlyRow(first, parser);
        } catch (FieldException e) {
            throw BadMessageException.of(e.path(), e.getMessage(), message);
        } catch (IOException e) {
            throw BadMessageException.of("", reason(e), message);
        }
    }

    private ArrayData onlyRow(JsonToken first, JsonParser parser) throws IOException {
        if (first == null) {
            throw new FieldException("the message has no content");
        }
        return new GenericArrayData(new Object[] {row.read(parser)});
    }

    private ArrayData rows(JsonParser parser) throws IOException {
        List<Object> rows = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Object next = row.value(row, parser);
            if (next != null) {
                rows.add(next);
            }
        }
        return rows.isEmpty() ? null : new GenericArrayData(rows.toArray());
    }

    /** What the parser says, with the place in the message and without that of the outer object. */
    private static String reason(IOException cause) {
        if (cause instanceof JsonProcessingException problem && problem.getLocation() != null) {
            return START_MARKER.matcher(problem.getOriginalMessage()).replaceAll("") + " at line "
                    + problem.getLocation().getLineNr() + ", column "
                    + problem.getLocation().getColumnNr();
        }
        return FieldException.firstLine(cause);
    }

    @Override
    public String function() {
        return "penstock_json_decode";
    }
}
