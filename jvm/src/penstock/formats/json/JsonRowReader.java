package penstock.formats.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import penstock.formats.FieldException;

/**
 * Reads a JSON object as a row. Fields match by exact name, unknown ones are skipped, the last of two
 * with the same name counts.
 */
final class JsonRowReader extends JsonContainer {
    private static final int NO_FIELD = -1;

    private final StructField[] fields;
    private final SerializedString[] names;
    private final JsonReader[] readers;
    private final Map<String, Integer> positions = new HashMap<>();
    private final boolean failOnMissingField;

    JsonRowReader(StructType type, JsonReaders types) {
        super(JsonToken.START_OBJECT, types.ignoreParseErrors());
        this.failOnMissingField = types.failOnMissingField();
        this.fields = type.fields();
        this.names = new SerializedString[fields.length];
        this.readers = new JsonReader[fields.length];
        for (int i = 0; i < fields.length; i++) {
            names[i] = new SerializedString(fields[i].name());
            readers[i] = types.reader(fields[i].dataType());
            positions.put(fields[i].name(), i);
        }
    }

    @Override
    public InternalRow read(JsonParser parser) throws IOException {
        expectStart(parser);
        Object[] values = new Object[names.length];
        boolean[] found = failOnMissingField ? new boolean[names.length] : null;
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
        if (found != null) {
            expectAll(found);
        }
        return new GenericInternalRow(values);
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
