package penstock.sources;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * {@code readStream.format("penstock.sources.DatagenProvider")}: numbered rows, {@code number
 * BIGINT, time TIMESTAMP}, so many per second. Options: {@code rowsPerSecond}, {@code rows} (the
 * last number plus one; absent if there is no end) and {@code partitions}.
 */
public final class DatagenProvider implements TableProvider {
    private static final StructType SCHEMA = new StructType()
            .add("number", DataTypes.LongType, false)
            .add("time", DataTypes.TimestampType, false);

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return SCHEMA;
    }

    @Override
    public Table getTable(
            StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new StreamTable("datagen", SCHEMA, options -> new DatagenStream(
                options.getLong("rowsPerSecond", 1),
                options.getLong("rows", Long.MAX_VALUE), options.getInt("partitions", 1)));
    }
}
