package penstock.formats.json;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import java.util.Map;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.unsafe.types.UTF8String;
import penstock.formats.CodecOptions;
import penstock.formats.TimestampText;

/** The reader for each SQL type, under the options of a table. */
public final class JsonReaders {
    private static final Map<DataType, JsonReader> SCALARS = Map.of(
            DataTypes.BooleanType, JsonScalars::bool,
            DataTypes.ByteType, JsonScalars::tinyint,
            DataTypes.ShortType, JsonScalars::smallint,
            DataTypes.IntegerType, JsonScalars::integer,
            DataTypes.LongType, JsonScalars::bigint,
            DataTypes.FloatType, JsonScalars::real,
            DataTypes.DoubleType, JsonScalars::doubled,
            DataTypes.BinaryType, JsonScalars::bytes,
            DataTypes.DateType, JsonScalars::date);

    private final Map<DataType, TimestampText> timestamps;
    private final ObjectReader trees;
    private final boolean ignoreParseErrors;
    private final boolean failOnMissingField;

    /** The readers for messages that hold the columns of a table. */
    public JsonReaders(StructType schema, CodecOptions options) {
        this.timestamps = JsonTypes.timestamps(options);
        ObjectMapper mapper = new ObjectMapper();
        // As Flink: a DECIMAL anywhere in the table changes how numbers inside of texts are kept.
        boolean hasDecimals = schema.existsRecursively(type -> type instanceof DecimalType);
        mapper.configure(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, hasDecimals);
        this.trees = mapper.reader();
        this.ignoreParseErrors = options.flag("ignore-parse-errors");
        this.failOnMissingField = options.flag("fail-on-missing-field");
    }

    /** Whether a value that cannot be read is NULL. */
    public boolean ignoreParseErrors() {
        return ignoreParseErrors;
    }

    boolean failOnMissingField() {
        return failOnMissingField;
    }

    /**
     * The reader of a type.
     *
     * @throws IllegalArgumentException if JSON has no value for it
     */
    public JsonReader reader(DataType type) {
        if (SCALARS.containsKey(type)) {
            return SCALARS.get(type);
        }
        if (timestamps.containsKey(type)) {
            return JsonScalars.timestamp(timestamps.get(type));
        }
        if (type instanceof StringType) {
            return text();
        }
        if (type instanceof DecimalType decimal) {
            return JsonScalars.decimal(decimal);
        }
        if (type instanceof TimeType) {
            return JsonScalars::time;
        }
        if (type instanceof StructType row) {
            return new JsonRowReader(row, this);
        }
        if (type instanceof ArrayType array) {
            return array(reader(array.elementType()));
        }
        if (type instanceof MapType map) {
            JsonTypes.expectStringKey(map);
            return new JsonMapReader(reader(map.valueType()), ignoreParseErrors);
        }
        throw JsonTypes.unsupported(type);
    }

    /** The reader of arrays whose elements another one reads. */
    public JsonReader array(JsonReader element) {
        return new JsonArrayReader(element, ignoreParseErrors);
    }

    /** Texts take any scalar, and objects and arrays as compact JSON. */
    private JsonReader text() {
        return parser -> parser.currentToken().isStructStart()
                ? UTF8String.fromString(trees.readTree(parser).toString())
                : JsonScalars.text(parser);
    }
}
