package penstock.formats.cdc;

import java.util.Map;
import org.apache.spark.sql.types.StructType;
import penstock.formats.CodecOptions;

/** Reads messages of Maxwell's daemon: one row each. */
public final class MaxwellJsonDecoder extends DataOldDecoder {
    private static final long serialVersionUID = 1L;
    private static final long MILLIS_PER_SECOND = 1000;

    private static final CdcFormat FORMAT = new CdcFormat("maxwell-json", "Maxwell",
            RowsField.onlyRow("data"), RowsField.onlyPartialRow("old"), "type",
            Map.of("insert", Operation.INSERT, "update", Operation.UPDATE,
                    "delete", Operation.DELETE),
            Map.of("database", CdcMetadata.text("database"),
                    "table", CdcMetadata.text("table"),
                    "primary-key-columns",
                    CdcMetadata.plain("primary_key_columns", CdcMetadata.TEXTS),
                    "ingestion-timestamp", CdcMetadata.epoch("ts", MILLIS_PER_SECOND)));

    /** A decoder for the columns of a table. */
    public MaxwellJsonDecoder(StructType schema, CodecOptions options) {
        super(schema, options, FORMAT);
    }

    private Object readResolve() {
        return new MaxwellJsonDecoder(schema, options);
    }
}
