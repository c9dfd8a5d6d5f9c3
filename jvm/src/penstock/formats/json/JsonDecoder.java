package penstock.formats.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;

/** Reads messages of Flink's {@code json} format: an object is a row, an array holds rows. */
public final class JsonDecoder extends JsonMessageDecoder {
    private static final long serialVersionUID = 1L;

    private final transient JsonRowReader row;

    /** A decoder for the physical columns of a table. */
    public JsonDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
        this.row = new JsonRowReader(schema, new JsonReaders(schema, options));
    }

    private Object readResolve() {
        return new JsonDecoder(schema, options);
    }

    @Override
    protected ArrayData rows(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            return new GenericArrayData(new Object[] {row.read(parser)});
        }
        List<Object> rows = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Object next = row.value(row, parser);
            if (next != null) {
                rows.add(next);
            }
        }
        return rows.isEmpty() ? null : new GenericArrayData(rows.toArray());
    }

    @Override
    public String function() {
        return "penstock_json_decode";
    }
}
