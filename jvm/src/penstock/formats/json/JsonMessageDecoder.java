package penstock.formats.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadMessageException;
import penstock.formats.CodecOptions;
import penstock.formats.Decoder;
import penstock.formats.FieldException;

/** Reads messages that are one JSON value each, and words what is wrong with them. */
public abstract class JsonMessageDecoder extends Decoder {
    private static final long serialVersionUID = 1L;

    // Interned names would pile up where the keys of a map are data.
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .build();

    // Where the outer object begins, and what a programmer could switch on.
    private static final Pattern NOISE = Pattern.compile(
            " \\(start marker at .*?\\]\\)|: enable `[\\w.]+` to allow");

    /** A decoder for the columns of a table. */
    protected JsonMessageDecoder(StructType schema, CodecOptions options) {
        super(schema, options);
    }

    /** The rows of a message, or null; the parser stands at its first token. */
    protected abstract ArrayData rows(JsonParser parser) throws IOException;

    /** What is wrong with a message, in the words of the format. */
    protected String problem(String reason) {
        return reason;
    }

    @Override
    public ArrayData decode(byte[] message) {
        if (message.length == 0) {
            return null;
        }
        try (JsonParser parser = parser(message)) {
            return rows(parser);
        } catch (FieldException e) {
            throw BadMessageException.of(e.path(), problem(e.getMessage()), message);
        } catch (IOException e) {
            throw BadMessageException.of("", problem(reason(e)), message);
        }
    }

    /** A parser at the first token of a message. */
    protected static JsonParser parser(byte[] message) throws IOException {
        JsonParser parser = FACTORY.createParser(message);
        if (parser.nextToken() == null) {
            throw new FieldException("the message has no content");
        }
        return parser;
    }

    /** What the parser says, with the place in the message. */
    private static String reason(IOException cause) {
        if (cause instanceof JsonProcessingException problem && problem.getLocation() != null) {
            return NOISE.matcher(problem.getOriginalMessage()).replaceAll("") + " at line "
                    + problem.getLocation().getLineNr() + ", column "
                    + problem.getLocation().getColumnNr();
        }
        return FieldException.firstLine(cause);
    }
}
