package penstock.formats.clickhouse;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;

/** Reads JSONAsString: the text of an object is the value of the only column. */
public final class JsonAsStringDecoder extends JsonSequence {
    private static final long serialVersionUID = 1L;

    /** A decoder for a table of one String. */
    public JsonAsStringDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
    }

    private Object readResolve() {
        return new JsonAsStringDecoder(schema, options);
    }

    @Override
    InternalRow row(Input in) {
        if (in.peek() != '{') {
            throw new FieldException("JSON object must begin with '{'");
        }
        int start = in.at;
        int depth = 0;
        boolean quoted = false;
        do {
            if (in.atEnd()) {
                throw new FieldException("Unexpected end of file while parsing JSON object");
            }
            byte next = in.bytes[in.at++];
            if (next == '"') {
                quoted = !quoted;
            } else if (quoted) {
                in.at += next == '\\' ? 1 : 0;
            } else if (next == '{') {
                depth++;
            } else if (next == '}') {
                depth--;
            }
        } while (depth > 0);
        UTF8String text = UTF8String.fromBytes(in.bytes, start, in.at - start);
        return new GenericInternalRow(new Object[] {text});
    }

    @Override
    public String function() {
        return "penstock_ch_json_as_string_decode";
    }
}
