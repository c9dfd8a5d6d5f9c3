package penstock.formats.cdc;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import penstock.formats.BadMessageException;
import penstock.formats.CodecOptions;
import penstock.formats.FieldException;
import penstock.formats.json.JsonRowReader;

/** Reads messages of Canal: several rows each, of many databases and tables in one topic. */
public final class CanalJsonDecoder extends DataOldDecoder {
    private static final long serialVersionUID = 1L;
    private static final String DATABASE = "database";
    private static final String TABLE = "table";

    private static final CdcFormat FORMAT = new CdcFormat("canal-json", "Canal",
            RowsField.rows("data"), RowsField.partialRows("old"), "type",
            Map.of("INSERT", Operation.INSERT, "UPDATE", Operation.UPDATE,
                    "DELETE", Operation.DELETE, "CREATE", Operation.NOTHING),
            Map.of(DATABASE, CdcMetadata.text(DATABASE),
                    TABLE, CdcMetadata.text(TABLE),
                    "sql-type", CdcMetadata.plain("sqlType", DataTypes.createMapType(
                            DataTypes.StringType, DataTypes.IntegerType)),
                    "pk-names", CdcMetadata.plain("pkNames", CdcMetadata.TEXTS),
                    "ingestion-timestamp", CdcMetadata.epoch("ts", 1),
                    "event-timestamp", CdcMetadata.epoch("es", 1)));

    private static final StructType ORIGIN = new StructType()
            .add(DATABASE, DataTypes.StringType).add(TABLE, DataTypes.StringType);

    private final transient int database;
    private final transient int table;
    private final transient Pattern databases;
    private final transient Pattern tables;
    private final transient JsonRowReader origin;

    /** A decoder for the columns of a table. */
    public CanalJsonDecoder(StructType schema, CodecOptions options) {
        super(schema, options, FORMAT, DATABASE, TABLE);
        this.database = slot(DATABASE);
        this.table = slot(TABLE);
        this.databases = pattern(options, "database.include");
        this.tables = pattern(options, "table.include");
        this.origin = new JsonRowReader(ORIGIN, readers);
    }

    private Object readResolve() {
        return new CanalJsonDecoder(schema, options);
    }

    private static Pattern pattern(CodecOptions options, String key) {
        String text = options.text(key, null);
        try {
            return text == null ? null : Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(FORMAT.option(key, options) + " = '" + text
                    + "' is no regular expression: " + e.getDescription(), e);
        }
    }

    /** The rows of another table need not fit this one. */
    @Override
    public ArrayData decode(byte[] message) {
        try {
            return super.decode(message);
        } catch (BadMessageException e) {
            if (isOfAnother(message)) {
                return null;
            }
            throw e;
        }
    }

    private boolean isOfAnother(byte[] message) {
        try (JsonParser parser = parser(message)) {
            Object[] names = origin.read(parser).values();
            return !isIncluded(names[0], names[1]);
        } catch (FieldException | IOException e) {
            return false;
        }
    }

    @Override
    protected boolean concerns(GenericInternalRow message) {
        return isIncluded(message.values()[database], message.values()[table]);
    }

    private boolean isIncluded(Object databaseName, Object tableName) {
        return matches(databases, DATABASE, databaseName) && matches(tables, TABLE, tableName);
    }

    private static boolean matches(Pattern pattern, String field, Object name) {
        if (pattern == null) {
            return true;
        }
        if (name == null) {
            throw new FieldException("The \"" + field + "\" field is null");
        }
        return pattern.matcher(name.toString()).matches();
    }
}
