package penstock.formats.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import penstock.formats.FieldException;

/**
 * Reads a JSON object as a row. Fields match by exact name, unknown ones are skipped, the last of two
 * with the same name counts.
 */
public final class JsonRowReader extends JsonContainer {
    private static final int NO_FIELD = -1;

    private final StructField[] fields;
    private final SerializedString[] names;
    private final JsonReader[] readers;
    private final Map<String, Integer> positions = new HashMap<>();
    private final int width;
    private final boolean failOnMissingField;

    /** A reader of rows of a type. */
    public JsonRowReader(StructType type, JsonReaders types) {
        this(type, types, type.length());
    }

    /** A reader of rows that have room for more values than those that are read. */
    public JsonRowReader(StructType type, JsonReaders types, int width) {
        this(type, types, width,
                Stream.of(type.fields()).map(field -> types.reader(field.dataType())).toList());
    }

    /** A reader of rows of a type whose fields have readers of their own. */
    public JsonRowReader(StructType type, JsonReaders types, List<JsonReader> readers) {
        this(type, types, type.length(), readers);
    }

    private JsonRowReader(
            StructType type, JsonReaders types, int width, List<JsonReader> readers) {
        super(JsonToken.START_OBJECT, types.ignoreParseErrors());
        this.failOnMissingField = types.failOnMissingField();
        this.width = width;
        this.fields = type.fields();
        this.names = new SerializedString[fields.length];
        this.readers = readers.toArray(JsonReader[]::new);
        for (int i = 0; i < fields.length; i++) {
            names[i] = new SerializedString(fields[i].name());
            positions.put(fields[i].name(), i);
        }
    }

    @Override
    public GenericInternalRow read(JsonParser parser) throws IOException {
        Object[] values = new Object[width];
        boolean[] found = failOnMissingField ? new boolean[names.length] : null;
        read(parser, values, found);
        if (found != null) {
            expectAll(found);
        }
        return new GenericInternalRow(values);
    }

    /** A row of which only some fields are there, be they NULL or not. */
    public JsonPartialRow readPartial(JsonParser parser) throws IOException {
        JsonPartialRow row = new JsonPartialRow(new Object[width], new boolean[names.length]);
        read(parser, row.values(), row.found());
        return row;
    }

    private void read(JsonParser parser, Object[] values, boolean[] found) throws IOException {
        expectStart(parser);
        int expected = 0;
        while (true) {
            // Messages of one producer keep the order of their fields: try the next one first.
            int field = expected;
            if (expected >= names.length || !parser.nextFieldName(names[expected])) {
                if (expected >= names.length) {
                    parser.nextToken();
                }
                if (parser.currentToken() == JsonToken.END_OBJECT) {
                    break;
                }
                field = positions.getOrDefault(parser.currentName(), NO_FIELD);
            }
            parser.nextToken();
            if (field == NO_FIELD) {
                parser.skipChildren();
                continue;
            }
            values[field] = field(field, parser);
            if (found != null) {
                found[field] = true;
            }
            expected = field + 1;
        }
    }

    private Object field(int field, JsonParser parser) throws IOException {
        try {
            return value(readers[field], parser);
        } catch (FieldException e) {
            throw e.within(fields[field].name(), fields[field].dataType());
        }
    }

    private void expectAll(boolean[] found) {
        for (int i = 0; i < found.length; i++) {
            if (!found[i]) {
                String name = fields[i].name();
                throw new FieldException("Could not find field with name '" + name + "'.")
                        .within(name);
            }
        }
    }
}
