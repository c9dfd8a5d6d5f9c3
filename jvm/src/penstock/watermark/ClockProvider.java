package penstock.watermark;

import java.time.ZoneId;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import penstock.sources.StreamTable;

/**
 * {@code readStream.format("penstock.watermark.ClockProvider")}: a stream without rows that moves on
 * every {@code everyMs} milliseconds of the clock in a {@code zone}. Each time Spark runs a batch,
 * though no table may have rows, and the watermark {@code scan} of a {@code query} is that time.
 */
public final class ClockProvider implements TableProvider {
    private static final StructType SCHEMA =
            new StructType().add("time", DataTypes.TimestampType, false);

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return SCHEMA;
    }

    @Override
    public Table getTable(
            StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new StreamTable("clock", SCHEMA, options -> new ClockStream(
                new TableKey(options.get("query"), options.get("scan")),
                new LocalClock(ZoneId.of(options.get("zone"))),
                options.getLong("everyMs", 1000)));
    }
}
