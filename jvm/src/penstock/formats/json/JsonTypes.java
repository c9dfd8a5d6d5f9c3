package penstock.formats.json;

import java.util.Map;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import penstock.formats.CodecOptions;
import penstock.formats.TimestampText;

/** What reading and writing JSON have in common about types. */
final class JsonTypes {
    private static final Map<DataType, TimestampText> SQL = Map.of(
            DataTypes.TimestampNTZType, TimestampText.SQL,
            DataTypes.TimestampType, TimestampText.SQL_UTC);
    private static final Map<DataType, TimestampText> ISO = Map.of(
            DataTypes.TimestampNTZType, TimestampText.ISO,
            DataTypes.TimestampType, TimestampText.ISO_UTC);

    private JsonTypes() {}

    /** How timestamps with and without time zone are written. */
    static Map<DataType, TimestampText> timestamps(CodecOptions options) {
        return options.text("timestamp-format.standard", "SQL").equals("ISO-8601") ? ISO : SQL;
    }

    static void expectStringKey(MapType type) {
        if (!(type.keyType() instanceof StringType)) {
            throw new IllegalArgumentException("JSON format doesn't support non-string as key type"
                    + " of map. The type is: " + type.sql());
        }
    }

    static IllegalArgumentException unsupported(DataType type) {
        return new IllegalArgumentException("JSON format doesn't support the type " + type.sql());
    }
}
